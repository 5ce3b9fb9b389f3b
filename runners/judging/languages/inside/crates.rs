
// What HumanEval-X calls of the crates rand, regex and md5.
mod crates {
    pub mod rand {
        pub trait Drawn: Sized {
            fn of(n: u64) -> Self;
            fn between(n: u64, first: Self, end: Self) -> Self;
        }
        macro_rules! drawn {
            ($($t:ty)*) => {$(
                impl Drawn for $t {
                    fn of(n: u64) -> $t {
                        n as $t
                    }
                    fn between(n: u64, first: $t, end: $t) -> $t {
                        let width = end as i128 - first as i128;
                        (first as i128 + (n as i128).rem_euclid(width)) as $t
                    }
                }
            )*};
        }
        drawn!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);
        pub trait Rng {
            fn next(&mut self) -> u64;
            fn gen<T: Drawn>(&mut self) -> T {
                T::of(self.next())
            }
            fn gen_range<T: Drawn>(&mut self, first: T, end: T) -> T {
                T::between(self.next(), first, end)
            }
        }
        pub struct ThreadRng;
        static STATE: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(1);
        impl Rng for ThreadRng {
            fn next(&mut self) -> u64 {
                let order = std::sync::atomic::Ordering::SeqCst;
                let n = STATE.fetch_add(0x9E3779B97F4A7C15, order);
                let n = (n ^ (n >> 30)).wrapping_mul(0xBF58476D1CE4E5B9);
                let n = (n ^ (n >> 27)).wrapping_mul(0x94D049BB133111EB);
                n ^ (n >> 31)
            }
        }
        pub fn thread_rng() -> ThreadRng {
            ThreadRng
        }
        pub fn random<T: Drawn>() -> T {
            T::of(ThreadRng.next())
        }
    }

    pub mod regex {
        // A class of characters, and white space behind it: [.?!]\s*
        pub struct Regex(Vec<char>, bool);
        impl Regex {
            pub fn new(pattern: &str) -> Result<Regex, String> {
                let class = pattern.strip_suffix("\\s*").unwrap_or(pattern);
                match class.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                    Some(text) if !text.contains(['\\', '^', '-', '[']) => {
                        Ok(Regex(text.chars().collect(), class != pattern))
                    }
                    _ => Err("the regex crate is not here: only a class of characters".into()),
                }
            }
            pub fn split<'a>(&self, text: &'a str) -> std::vec::IntoIter<&'a str> {
                let mut parts: Vec<&'a str> = text.split(|c| self.0.contains(&c)).collect();
                if self.1 {
                    parts.iter_mut().skip(1).for_each(|part| *part = part.trim_start());
                }
                parts.into_iter()
            }
        }
    }

    pub mod md5 {
        pub struct Digest(pub [u8; 16]);
        impl std::fmt::LowerHex for Digest {
            fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                for byte in self.0 {
                    write!(f, "{:02x}", byte)?;
                }
                Ok(())
            }
        }
        pub fn compute<T: AsRef<[u8]>>(data: T) -> Digest {
            let turns: [[u32; 4]; 4] =
                [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];
            let mut text = data.as_ref().to_vec();
            let bits = (text.len() as u64).wrapping_mul(8);
            text.push(0x80);
            while text.len() % 64 != 56 {
                text.push(0);
            }
            text.extend_from_slice(&bits.to_le_bytes());
            let mut state: [u32; 4] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];
            for block in text.chunks(64) {
                let word = |n: usize| {
                    u32::from_le_bytes([
                        block[4 * n], block[4 * n + 1], block[4 * n + 2], block[4 * n + 3],
                    ])
                };
                let [mut a, mut b, mut c, mut d] = state;
                for n in 0..64 {
                    let (mixed, place) = match n / 16 {
                        0 => ((b & c) | (!b & d), n),
                        1 => ((d & b) | (!d & c), (5 * n + 1) % 16),
                        2 => (b ^ c ^ d, (3 * n + 5) % 16),
                        _ => (c ^ (b | !d), (7 * n) % 16),
                    };
                    let constant = (((n + 1) as f64).sin().abs() * 4294967296.0) as u32;
                    let sum = a.wrapping_add(mixed).wrapping_add(constant).wrapping_add(word(place));
                    (a, d, c) = (d, c, b);
                    b = b.wrapping_add(sum.rotate_left(turns[n / 16][n % 4]));
                }
                for (old, new) in state.iter_mut().zip([a, b, c, d]) {
                    *old = old.wrapping_add(new);
                }
            }
            let mut found = [0u8; 16];
            for (n, part) in state.iter().enumerate() {
                found[4 * n..4 * n + 4].copy_from_slice(&part.to_le_bytes());
            }
            Digest(found)
        }
    }
}
