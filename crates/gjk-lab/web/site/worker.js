// A worker of the page: runs a program of the library beside the page, so that a long query does not stop it. Its name is the program's.

import { Program, compile } from "./wasm.js";

const program = compile(new URL(`${self.name}.wasm`, import.meta.url)).then((module) => new Program(module));
// Whoever asks is told what went wrong.
program.catch(() => {});

onmessage = async ({ data: { number, request } }) => {
  try {
    const library = await program;
    postMessage({ number, response: library.respond(request) });
    // The page has its answer and need not wait for this.
    library.renew();
  } catch (error) {
    postMessage({ number, error: error instanceof Error ? error.message : String(error) });
  }
};
