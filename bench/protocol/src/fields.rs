//! A file as numbered fields: every error says line, what was expected and what stood there.

/// The white-space separated fields of a text, with the line of each.
pub(crate) struct Fields<'a> {
    rest: std::iter::Peekable<Box<dyn Iterator<Item = (usize, &'a str)> + 'a>>,
    line: usize,
}

impl<'a> Fields<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let words = text
            .lines()
            .enumerate()
            .flat_map(|(at, line)| line.split_whitespace().map(move |w| (at + 1, w)));
        let boxed: Box<dyn Iterator<Item = (usize, &'a str)> + 'a> = Box::new(words);
        Self {
            rest: boxed.peekable(),
            line: 1,
        }
    }

    pub(crate) fn word(&mut self, expected: &str) -> Result<&'a str, String> {
        let Some((line, word)) = self.rest.next() else {
            return Err(format!(
                "line {}: the file ends where {expected} should stand",
                self.line
            ));
        };
        self.line = line;
        Ok(word)
    }

    pub(crate) fn parse<T: std::str::FromStr>(&mut self, expected: &str) -> Result<T, String> {
        let word = self.word(expected)?;
        word.parse()
            .map_err(|_| format!("line {}: expected {expected}, found `{word}`", self.line))
    }

    /// A finite number.
    pub(crate) fn number(&mut self, expected: &str) -> Result<f64, String> {
        let x: f64 = self.parse(expected)?;
        if x.is_finite() {
            Ok(x)
        } else {
            Err(format!("line {}: {expected} is not finite", self.line))
        }
    }

    pub(crate) fn numbers<const N: usize>(&mut self, expected: &str) -> Result<[f64; N], String> {
        let mut all = [0.0; N];
        for x in &mut all {
            *x = self.number(expected)?;
        }
        Ok(all)
    }

    pub(crate) fn keyword(&mut self, keyword: &str) -> Result<(), String> {
        let word = self.word(keyword)?;
        if word == keyword {
            Ok(())
        } else {
            Err(format!(
                "line {}: expected `{keyword}`, found `{word}`",
                self.line
            ))
        }
    }

    /// Whether the next word is this one; it stays.
    pub(crate) fn next_is(&mut self, word: &str) -> bool {
        self.rest.peek().is_some_and(|(_, next)| *next == word)
    }

    pub(crate) fn at(&self, what: impl std::fmt::Display) -> String {
        format!("line {}: {what}", self.line)
    }

    pub(crate) fn end(&mut self) -> Result<(), String> {
        match self.rest.peek() {
            None => Ok(()),
            Some((line, word)) => Err(format!("line {line}: `{word}` after the end")),
        }
    }
}
