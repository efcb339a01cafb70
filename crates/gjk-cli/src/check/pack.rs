//! Numbers and texts as one line of a page: shuffled, deflated, as base64. `page/unpack.js` reads it.
//!
//! Idea: the bytes of numbers that are alike compress well when all first bytes stand together, then all second ones, and so on;
//! indices are near the one before them, so that their differences are written.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::io::Write;

/// Bytes that a page carries.
#[derive(Default)]
pub struct Pack {
    bytes: Vec<u8>,
}

impl Pack {
    /// Adds numbers of single precision.
    pub fn singles(&mut self, numbers: impl ExactSizeIterator<Item = f32>) {
        let bytes: Vec<[u8; 4]> = numbers.map(f32::to_le_bytes).collect();
        self.shuffled(&bytes);
    }

    /// Adds numbers of double precision.
    pub fn doubles(&mut self, numbers: impl ExactSizeIterator<Item = f64>) {
        let bytes: Vec<[u8; 8]> = numbers.map(f64::to_le_bytes).collect();
        self.shuffled(&bytes);
    }

    /// Adds indices as differences from one to the next.
    pub fn indices(&mut self, indices: impl ExactSizeIterator<Item = u32>) {
        let mut last = 0;
        let differences: Vec<[u8; 4]> = indices
            .map(|index| {
                let difference = index.wrapping_sub(last) as i32;
                last = index;
                // The sign is the last bit, so that small differences are small numbers.
                (((difference << 1) ^ (difference >> 31)) as u32).to_le_bytes()
            })
            .collect();
        self.shuffled(&differences);
    }

    fn shuffled<const N: usize>(&mut self, numbers: &[[u8; N]]) {
        for k in 0..N {
            self.bytes.extend(numbers.iter().map(|bytes| bytes[k]));
        }
    }

    /// The line.
    ///
    /// # Errors  none but of a memory that is full.
    pub fn text(&self) -> std::io::Result<String> {
        deflated(&self.bytes)
    }
}

/// Bytes as a line of text, made small.
///
/// # Errors  none but of a memory that is full.
pub fn deflated(bytes: &[u8]) -> std::io::Result<String> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(7));
    encoder.write_all(bytes)?;
    Ok(STANDARD.encode(encoder.finish()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::ZlibDecoder;
    use std::io::Read;

    fn read(text: &str) -> Vec<u8> {
        let bytes = STANDARD.decode(text).expect("base64");
        let mut read = Vec::new();
        ZlibDecoder::new(&bytes[..])
            .read_to_end(&mut read)
            .expect("deflate");
        read
    }

    #[test]
    fn bytes_of_numbers_stand_together() {
        let mut pack = Pack::default();
        pack.singles([1.0_f32, 2.0].into_iter());
        pack.doubles([-0.5_f64].into_iter());
        let mut wanted = vec![0, 0, 0, 0, 0x80, 0, 0x3f, 0x40];
        wanted.extend((-0.5_f64).to_le_bytes());
        assert_eq!(read(&pack.text().expect("a text")), wanted);
    }

    #[test]
    fn indices_are_differences_also_at_the_ends_of_their_range() {
        let indices = [5, 3, u32::MAX, 0, 1 << 31];
        let mut pack = Pack::default();
        pack.indices(indices.into_iter());
        let bytes = read(&pack.text().expect("a text"));
        let mut last = 0_u32;
        let back: Vec<u32> = (0..indices.len())
            .map(|k| {
                let word =
                    u32::from_le_bytes([0, 1, 2, 3].map(|byte| bytes[byte * indices.len() + k]));
                last = last.wrapping_add((word >> 1) ^ (word & 1).wrapping_neg());
                last
            })
            .collect();
        assert_eq!(back, indices);
    }
}
