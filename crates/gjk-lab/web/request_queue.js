// What is asked of a pair: a query and the edits since. One request is on its way at a time, and no edit is lost.
//
// Edits wait for the answer before them, and the next request has all that wait, in their order. A drag is one edit: each move
// makes it anew, and it is the last until the drag ends, so that moves between two answers cost nothing.

/** @typedef {import("./types.js").Query | import("./types.js").MeshQuery} Query */
/** @typedef {import("./types.js").Edit} Edit */
/** @typedef {import("./types.js").AnyTold} Told */
/** @typedef {import("./types.js").Refusal} Refusal */
/** An edit as it is wanted, and as the answer that is shown has it. @typedef {{edit?: Edit, shown?: Edit}} Slot */

export class RequestQueue {
  #page;
  /** What the edits are of. @type {Query | undefined} */ #from;
  /** @type {Slot[]} */ #edits = [];
  /** What was shown last, of this query or another. @type {Query | undefined} */ #last;
  /** The edit of the drag that goes on: the last. @type {Slot | undefined} */ #drag;
  /** How many queries were begun or ended: an answer to an earlier one is not shown. */ #count = 0;
  /** No answer of this query was shown. */ #isFirst = true;
  /** The query is to be asked whether edits wait or not. */ #isStale = false;
  /** One of several edits was refused: until it is known which, they are asked one by one. */ #isSingle = false;
  /** @type {Promise<void> | undefined} */ #running;

  /**
   * @param {{ask: (query: Query, edits: Edit[]) => Promise<Told | Refusal>, show: (told: Told, isFirst: boolean) => void,
   *   refuse: (refusal: Refusal | null) => void, fail: (error: unknown) => void}} page how to ask, and who is told
   */
  constructor(page) {
    this.#page = page;
  }

  /** Asks another query; what waits of the last one is given up. @param {Query} query @returns whether its answer is shown */
  async begin(query) {
    this.end();
    const count = this.#count;
    this.#from = query;
    await this.again();
    return count === this.#count && !this.#isFirst;
  }

  /** Shows no more answers, until another query. */
  end() {
    this.#count += 1;
    this.#from = undefined;
    this.#edits = [];
    this.#drag = undefined;
    this.#isFirst = true;
    this.#isSingle = false;
  }

  /** Asks the same query: something else of the request changed. */
  again() {
    this.#isStale = true;
    return this.#run();
  }

  /** @param {Edit} edit */
  edit(edit) {
    this.#edits.splice(this.#edits.length - (this.#drag ? 1 : 0), 0, { edit });
    return this.#run();
  }

  /** A drag begins: what it does is counted from here. */
  grab() {
    this.#drag = {};
    this.#edits.push(this.#drag);
  }

  /** @param {Edit} edit all that the drag did since it began */
  drag(edit) {
    if (this.#drag) this.#drag.edit = edit;
    return this.#run();
  }

  /** The drag ends. */
  drop() {
    this.#drag = undefined;
  }

  #run() {
    this.#running ??= this.#loop().finally(() => { this.#running = undefined; });
    return this.#running;
  }

  async #loop() {
    while (this.#from && (this.#isStale || this.#edits.some(isNew))) {
      this.#isStale = false;
      const count = this.#count;
      const asked = this.#asked();
      try {
        const told = await this.#page.ask(this.#from, asked.flatMap(({ edit }) => edit ?? []));
        if (count !== this.#count) continue;
        if (told.error) this.#refused(told, asked);
        else this.#shown(told, asked);
      } catch (error) {
        // Nothing more can be asked; what was shown stays.
        if (count === this.#count) this.#edits = this.#edits.filter((slot) => slot === this.#drag || (slot.edit = slot.shown));
        if (this.#drag) this.#drag.edit = this.#drag.shown;
        this.#page.fail(error);
      }
    }
  }

  /** The edits of the next request. @returns {{slot: Slot, edit?: Edit}[]} */
  #asked() {
    let news = this.#isSingle ? 1 : Infinity;
    return this.#edits.map((slot) => {
      if (isNew(slot)) news -= 1;
      return { slot, edit: news >= 0 ? slot.edit : slot.shown };
    });
  }

  /** @param {Told} told @param {{slot: Slot, edit?: Edit}[]} asked */
  #shown(told, asked) {
    for (const { slot, edit } of asked) slot.shown = edit;
    // Of edits that are asked one by one the refused one is still told after the others.
    if (!this.#isSingle) this.#page.refuse(null);
    if (!this.#drag && !this.#edits.some(isNew)) {
      this.#from = told.query;
      this.#edits = [];
      this.#isSingle = false;
    }
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    this.#last = told.query;
    this.#page.show(told, isFirst);
  }

  /** @param {Refusal} refusal @param {{slot: Slot, edit?: Edit}[]} asked */
  #refused(refusal, asked) {
    const news = asked.filter(({ slot, edit }) => edit !== slot.shown);
    if (news.length > 1) {
      this.#isSingle = true;
      return;
    }
    // Of a query that is none nothing is shown: what was before stays in reach.
    if (this.#isFirst && news.length === 0) this.#from = this.#last;
    for (const { slot, edit } of news) {
      // Of a drag what came before stays; it may have moved on since.
      if (slot.edit === edit) slot.edit = slot.shown;
      if (!slot.edit && slot !== this.#drag) this.#edits.splice(this.#edits.indexOf(slot), 1);
    }
    this.#page.refuse(refusal);
  }
}

/** Whether no answer has it yet. @param {Slot} slot */
function isNew({ edit, shown }) {
  return edit !== shown;
}
