fn main() {
    let name = std::env::args().nth(1).unwrap();
    let quick = std::env::args().nth(2).is_some();
    let r = clearance_lab::find(&name)
        .unwrap()
        .execute(&clearance_lab::Settings { quick, seed: 1 }, &clearance_lab::Progress::new())
        .unwrap();
    println!("{}", r.to_csv());
    println!("{}", clearance_lab::text::render(&r));
}
