use gjk::{Vec2,Vec3};
use gjk_query::motion;
use gjk_scene::*;
fn main(){
  let text=std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
  let reps:u32=std::env::args().nth(2).map_or(1,|x|x.parse().unwrap());
  for (k,line) in text.lines().enumerate(){
    let Some(line)=read_line(line.as_bytes(),k as u64+1) else {continue};
    match line.query { Err(e)=>println!("{} ERROR {e}",line.id), Ok(AnyQuery::Motion(spec))=>{
      let start=std::time::Instant::now();
      let mut found=None;
      for _ in 0..reps { found=Some(match (spec.dim,spec.scalar){
        (2,ScalarKind::F32)=>motion::solve::<Vec2<f32>>(&spec,reps==1),(2,_)=>motion::solve::<Vec2<f64>>(&spec,reps==1),
        (_,ScalarKind::F32)=>motion::solve::<Vec3<f32>>(&spec,reps==1),_=>motion::solve::<Vec3<f64>>(&spec,reps==1)}); }
      let us=start.elapsed().as_secs_f64()*1e6/f64::from(reps);
      match found.unwrap() { Err(e)=>println!("{} REFUSED {e}",spec.id), Ok(a)=>{
        let f=spec.expect.as_ref().map(|e|motion::failures(e,&a)).unwrap_or_default();
        let w=a.time.as_ref().map(|t|t.upper-t.lower);
        println!("{} {} {:?} w={:?} it={} {} {:?} {:?} {us:.1}us {}",spec.id,a.verdict.name(),a.time,w,a.iterations,a.stop.name(),a.verified,a.objection, if f.is_empty(){String::new()}else{format!("FAIL {f:?}")});
      }}
    }, Ok(_)=>{} }
  }
}
