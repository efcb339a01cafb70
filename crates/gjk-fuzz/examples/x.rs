//! x
#![allow(clippy::all, missing_docs, unused, clippy::print_stdout)]
fn main(){ let a:Vec<u64>=std::env::args().skip(1).map(|x|x.parse().unwrap()).collect();
let t=gjk_fuzz::solids::MESH_FAMILIES[a[0] as usize].run(a[1],a[2],a[3],|_|{});
println!("{:?} rel {:?} wrong {} verified {} us/verify {} us/rel {}",t.cases,t.relations,t.wrong,t.verified,t.verify_nanoseconds as f64/1e3/t.verified.max(1) as f64,t.nanoseconds as f64/1e3/t.cases as f64);
for f in t.finds.iter(){println!("{} {}",f.number,f.message)} }
