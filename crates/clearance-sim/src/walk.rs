//! The walker: moves a character through a world of bodies that may move themselves.
