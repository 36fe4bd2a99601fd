//! Compiles the shared sources with `Real = f32`: a cfg set here cannot be switched off by a dependent's features.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-cfg=single_precision");
}
