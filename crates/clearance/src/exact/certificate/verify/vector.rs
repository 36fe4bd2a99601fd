//! Vectors, matrices and maps of the checker's numbers.

use super::number::Num;
use crate::exact::vector::Int3;

pub(super) type Vector = [Num; 3];

pub(super) fn dot(a: &Vector, b: &Vector) -> Num {
    &(&(&a[0] * &b[0]) + &(&a[1] * &b[1])) + &(&a[2] * &b[2])
}

pub(super) fn cross(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|k| {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        &(&a[i] * &b[j]) - &(&a[j] * &b[i])
    })
}

pub(super) fn plus(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|k| &a[k] + &b[k])
}

pub(super) fn minus(a: &Vector, b: &Vector) -> Vector {
    std::array::from_fn(|k| &a[k] - &b[k])
}

pub(super) fn times(a: &Vector, factor: &Num) -> Vector {
    a.each_ref().map(|x| x * factor)
}

pub(super) fn negative(a: &Vector) -> Vector {
    a.each_ref().map(|x| -x)
}

pub(super) fn is_zero(a: &Vector) -> bool {
    a.iter().all(Num::is_zero)
}

/// A number not below the length.
pub(super) fn length_above(a: &Vector) -> Num {
    let [_, above] = dot(a, a).root();
    above
}

/// The lowest power of two among the components of vectors; zero if all are zero.
pub(super) fn lowest_power<'a>(vectors: impl IntoIterator<Item = &'a Vector>) -> i32 {
    vectors.into_iter().flatten().filter_map(Num::power).min().unwrap_or(0)
}

/// A vector in units of two to a power that is not above those of its components.
pub(super) fn integers(a: &Vector, power: i32) -> Int3 {
    Int3(a.each_ref().map(|x| x.at(power)))
}

/// A matrix by rows.
#[derive(Debug, Clone)]
pub(super) struct Matrix(pub [Vector; 3]);

impl Matrix {
    pub fn times(&self, x: &Vector) -> Vector {
        self.0.each_ref().map(|row| dot(row, x))
    }

    pub fn transposed_times(&self, d: &Vector) -> Vector {
        let [x, y, z] = std::array::from_fn(|k| times(&self.0[k], &d[k]));
        plus(&plus(&x, &y), &z)
    }

    pub fn determinant(&self) -> Num {
        let [x, y, z] = &self.0;
        dot(x, &cross(y, z))
    }

    /// The matrix of cofactors times a vector: `det · M⁻ᵀ · n`.
    pub fn cofactor_times(&self, n: &Vector) -> Vector {
        std::array::from_fn(|k| dot(&cross(&self.0[(k + 1) % 3], &self.0[(k + 2) % 3]), n))
    }

    /// The largest sum of magnitudes in a row of `M Mᵀ − 1`.
    pub fn unevenness(&self) -> Num {
        let entry = |i: usize, j: usize| (&dot(&self.0[i], &self.0[j]) - &Num::from(f64::from(u8::from(i == j)))).abs();
        let sums = [0, 1, 2].map(|i| &(&entry(i, 0) + &entry(i, 1)) + &entry(i, 2));
        sums.into_iter().max().unwrap_or_default()
    }

    /// A number not below the factor by which it makes vectors longer.
    pub fn norm_above(&self) -> Num {
        &Num::from(1.0) + &self.unevenness()
    }
}

/// `x ↦ matrix · x + translation`.
#[derive(Debug, Clone)]
pub(super) struct Map {
    pub matrix: Matrix,
    pub translation: Vector,
}

impl Map {
    pub fn place(&self, x: &Vector) -> Vector {
        plus(&self.matrix.times(x), &self.translation)
    }
}
