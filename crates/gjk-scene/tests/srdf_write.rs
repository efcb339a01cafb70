//! Written SRDF files: what was asked for is in them, and all else is as it was.

mod common;

use std::collections::BTreeMap;
use std::path::Path;

use common::Folder;
use gjk_scene::{
    DisabledReason, Robot, SceneErrorKind, SrdfEdit, WantedPair, read_srdf, read_urdf, write_srdf,
};

/// Links `a` to `e` with geometry, `hook` without.
fn robot(folder: &Folder) -> Robot {
    let solid = "<collision><geometry><sphere radius=\"1\"/></geometry></collision>";
    let mut body = format!("<link name=\"a\">{solid}</link>");
    for (name, inside) in [
        ("b", solid),
        ("c&amp;d", solid),
        ("&lt;e&quot;>", solid),
        ("hook", ""),
    ] {
        body += &format!(
            "<link name=\"{name}\">{inside}</link>\n<joint name=\"to {name}\" type=\"fixed\"><parent link=\"a\"/><child link=\"{name}\"/></joint>"
        );
    }
    read_urdf(&folder.write(
        "r.urdf",
        format!("<robot name=\"r &amp; s\">{body}</robot>"),
    ))
    .unwrap_or_else(|error| panic!("{error}"))
}

fn pair(a: usize, b: usize, reason: DisabledReason) -> WantedPair {
    WantedPair { a, b, reason }
}

fn write(old: &str, robot: &Robot, wanted: &[WantedPair]) -> SrdfEdit {
    write_srdf(Some(old), Path::new("old.srdf"), robot, wanted)
        .unwrap_or_else(|error| panic!("{error}\n{old}"))
}

/// The pairs of a text whose links both have geometry, each with its first reason.
fn pairs_of(
    folder: &Folder,
    robot: &Robot,
    text: &str,
) -> BTreeMap<(usize, usize), DisabledReason> {
    let srdf = read_srdf(&folder.write("s.srdf", text), robot)
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut pairs = BTreeMap::new();
    for pair in srdf.disabled {
        if pair.a != pair.b && pair.a < 4 && pair.b < 4 {
            let reason = DisabledReason::of_word(pair.reason.as_deref());
            pairs.entry((pair.a, pair.b)).or_insert(reason);
        }
    }
    pairs
}

use DisabledReason::{Adjacent, Always, Default, Never, User};

const OLD: &str = "<?xml version=\"1.0\"?>\n<!-- by hand -->\n<robot name='r &amp; s'>\n\t<group name=\"arm\"/>\n\
    \t<disable_collisions  link1='b' link2='a' reason='Adjacent' /> <!-- a joint -->\n\
    \t<!-- <disable_collisions link1=\"a\" link2=\"hook\"/> -->\n\
    \t<disable_collisions link1=\"ghost\" link2=\"a\" reason=\"Never\"/>\n\
    \t<disable_collisions link1=\"hook\" link2=\"a\" reason=\"Never\"/>\n\
    \t<disable_collisions link1=\"a\" link2=\"c&amp;d\"/>\n\
    \t<disable_collisions link1=\"b\" link2=\"c&amp;d\" reason=\"Never\"/>\n\
    \t<passive_joint name=\"p\"/>\n</robot>\n";

#[test]
fn only_what_must_differ_is_edited() {
    let folder = Folder::new("edit");
    let robot = robot(&folder);
    let wanted = [
        pair(1, 0, Adjacent),
        pair(0, 2, Always),
        pair(3, 1, Never),
        pair(0, 3, Default),
    ];
    let found = write(OLD, &robot, &wanted);
    let expected = OLD
        .replace(
            "link2=\"c&amp;d\"/>",
            "link2=\"c&amp;d\" reason=\"Always\"/>",
        )
        .replace(
            "\t<disable_collisions link1=\"b\" link2=\"c&amp;d\" reason=\"Never\"/>\n",
            "\t<disable_collisions link1=\"&lt;e&quot;&gt;\" link2=\"a\" reason=\"Default\"/>\n\
             \t<disable_collisions link1=\"&lt;e&quot;&gt;\" link2=\"b\" reason=\"Never\"/>\n",
        );
    assert_eq!(found.text, expected);
    let counts = (
        found.added,
        found.removed,
        found.changed,
        found.unchanged,
        found.left_alone,
    );
    assert_eq!(counts, (2, 1, 1, 1, 2));
    assert!(found.warnings.is_empty());
    let again = write(&found.text, &robot, &wanted);
    assert_eq!(
        (again.text.as_str(), again.unchanged),
        (expected.as_str(), 4)
    );
    // A pair with a link without geometry is there already, whatever its reason.
    let same = [
        pair(0, 1, Adjacent),
        pair(0, 2, User),
        pair(2, 1, Never),
        pair(4, 0, Always),
    ];
    assert_eq!(write(OLD, &robot, &same).text, OLD);
}

#[test]
fn new_lines_have_the_place_the_indentation_and_the_line_ends_of_the_file() {
    let folder = Folder::new("places");
    let robot = robot(&folder);
    let wanted = [pair(0, 1, Never)];
    let line = "<disable_collisions link1=\"a\" link2=\"b\" reason=\"Never\"/>";
    let other = "<disable_collisions link1=\"x\" link2=\"y\"/>";
    for (old, expected) in [
        (
            "<robot name=\"r\"/>",
            format!("<robot name=\"r\">\n    {line}\n</robot>"),
        ),
        (
            "<n:robot xmlns:n='m' />",
            format!("<n:robot xmlns:n='m' >\n    {line}\n</n:robot>"),
        ),
        ("<robot></robot>", format!("<robot>\n    {line}\n</robot>")),
        (
            "<robot>\n</robot>\n",
            format!("<robot>\n    {line}\n</robot>\n"),
        ),
        (
            "<robot>\r\n  <group/>\r\n</robot>",
            format!("<robot>\r\n  <group/>\r\n  {line}\r\n</robot>"),
        ),
        (
            "<robot><group/></robot>",
            format!("<robot><group/>\n    {line}\n</robot>"),
        ),
        (
            &format!("<robot>{other}</robot>"),
            format!("<robot>{other}\n    {line}\n</robot>"),
        ),
        (
            &format!("<robot>\r\n\t{other}\r\n\t<group/></robot>"),
            format!("<robot>\r\n\t{other}\r\n\t{line}\r\n\t<group/></robot>"),
        ),
        (
            &format!("<robot>\n  {other} <!-- long\n comment -->\n</robot>"),
            format!("<robot>\n  {other}\n  {line} <!-- long\n comment -->\n</robot>"),
        ),
        (
            &format!("\u{feff}<robot>\n  {other} <!-- why -->\n</robot>"),
            format!("\u{feff}<robot>\n  {other} <!-- why -->\n  {line}\n</robot>"),
        ),
    ] {
        let found = write(old, &robot, &wanted);
        assert_eq!(found.text, expected);
        assert_eq!(write(&expected, &robot, &wanted).text, expected);
    }
    let both = "<robot>\n  <disable_collisions link1=\"a\" link2=\"b\"/> <disable_collisions link1=\"a\"\n link2=\"c&amp;d\"/>\n <x/></robot>";
    assert_eq!(write(both, &robot, &[]).text, "<robot>\n <x/></robot>");
}

#[test]
fn a_new_file_is_a_whole_one() {
    let folder = Folder::new("whole");
    let robot = robot(&folder);
    let wanted = [pair(1, 0, Adjacent), pair(0, 2, Never), pair(0, 2, User)];
    let found = write_srdf(None, Path::new("new.srdf"), &robot, &wanted).expect("a file");
    assert_eq!(
        found.text,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<robot name=\"r &amp; s\">\n    \
         <disable_collisions link1=\"a\" link2=\"b\" reason=\"Adjacent\"/>\n    \
         <disable_collisions link1=\"a\" link2=\"c&amp;d\" reason=\"Never\"/>\n</robot>\n"
    );
    assert_eq!(write(&found.text, &robot, &wanted).text, found.text);
}

#[test]
fn what_stays_disabled_by_other_elements_is_told() {
    let folder = Folder::new("default_links");
    let robot = robot(&folder);
    let old = "<robot><disable_default_collisions link=\"a\"/><enable_collisions link1=\"a\" link2=\"b\"/></robot>";
    let found = write(old, &robot, &[pair(0, 2, Never)]);
    assert_eq!(
        found.warnings,
        [
            "old.srdf: `<disable_default_collisions>` stays, and by it pairs that were not asked for: `a` and `<e\">`"
        ]
    );
}

#[test]
fn what_cannot_be_edited_is_refused() {
    let folder = Folder::new("refused_srdf");
    let robot = robot(&folder);
    let xacro = "<robot xmlns:xacro='http://ros.org/wiki/xacro'>\n<xacro:arm/></robot>";
    let entity = "<!DOCTYPE robot [<!ENTITY d \"x\">]><robot/>";
    for (old, wanted, expected) in [
        (
            xacro,
            pair(0, 1, Never),
            "old.srdf:2:1: the file holds xacro macros",
        ),
        (
            entity,
            pair(0, 1, Never),
            "old.srdf:1:18: the file declares entities",
        ),
        (
            "<urdf/>",
            pair(0, 1, Never),
            "old.srdf:1:1: the root element is `<urdf>`",
        ),
        (
            "<robot>",
            pair(0, 1, Never),
            "old.srdf:1:1: not well-formed XML",
        ),
        (
            "<robot><disable_collisions link1=\"a\"/></robot>",
            pair(0, 1, Never),
            "old.srdf:1:8: `<disable_collisions>` has no attribute `link2`",
        ),
        (
            "<robot/>",
            pair(1, 1, Never),
            "links 1 and 1 are no pair of the robot",
        ),
        (
            "<robot/>",
            pair(0, 9, Never),
            "links 0 and 9 are no pair of the robot",
        ),
    ] {
        let error = write_srdf(Some(old), Path::new("old.srdf"), &robot, &[wanted]).expect_err(old);
        assert!(error.to_string().starts_with(expected), "{error}");
    }
    let error = write_srdf(Some(xacro), Path::new("o"), &robot, &[]).expect_err("xacro");
    assert_eq!(error.kind(), SceneErrorKind::Unsupported);
}

struct Random(u64);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % count as u64) as usize
    }

    fn pick<'t>(&mut self, words: &[&'t str]) -> &'t str {
        words[self.below(words.len())]
    }

    /// A file of lines as people and programs write them.
    fn file(&mut self) -> String {
        let newline = self.pick(&["\n", "\r\n"]);
        let mut text = self
            .pick(&["<robot name=\"r\">", "<?xml version=\"1.0\"?>\n<robot>"])
            .to_owned();
        for _ in 0..self.below(12) {
            text += self.pick(&[newline, newline, newline, " ", "", "\t"]);
            text += self.pick(&["  ", "", "\t", newline]);
            let names = ["a", "b", "c&amp;d", "&lt;e&quot;&gt;", "hook", "ghost"];
            let (one, other) = (self.pick(&names), self.pick(&names));
            let reason = self.pick(&[
                "",
                " reason=\"Never\"",
                " reason='Adjacent' ",
                "\nreason=\"by hand\"",
                " reason=\"Always\" x=\"1\"",
            ]);
            let end = self.pick(&["/>", " />", "></disable_collisions>"]);
            text += &match self.below(6) {
                0 => self
                    .pick(&[
                        "<!-- a comment -->",
                        "<!-- two\n lines -->",
                        "<group name=\"g\"><link name=\"a\"/></group>",
                        "words",
                    ])
                    .to_owned(),
                1 => format!("<disable_collisions{reason} link2='{one}'  link1='{other}'{end}"),
                _ => format!("<disable_collisions link1=\"{one}\" link2=\"{other}\"{reason}{end}"),
            };
        }
        text + self.pick(&[newline, "", "  "]) + "</robot>" + self.pick(&[newline, ""])
    }

    fn wanted(&mut self) -> Vec<WantedPair> {
        let reasons = [Adjacent, Default, Always, Never, User];
        let mut wanted = Vec::new();
        for a in 0..4 {
            for b in 0..a {
                if self.below(2) == 0 {
                    wanted.push(pair(a, b, reasons[self.below(5)]));
                }
            }
        }
        wanted
    }
}

/// A text without its disabled pairs of links with geometry and without blanks.
fn rest_of(text: &str) -> String {
    let mut rest = String::new();
    let mut left = text;
    while let Some(at) = left.find("<disable_collisions") {
        rest += &left[..at];
        let end = at + left[at..].find(['>']).expect("an end") + 1;
        let end = match left[end..].strip_prefix("</disable_collisions>") {
            Some(after) => left.len() - after.len(),
            None => end,
        };
        let element = &left[at..end];
        if element.contains("hook") || element.contains("ghost") {
            rest += element;
        }
        left = &left[end..];
    }
    (rest + left).split_whitespace().collect()
}

#[test]
fn reading_gives_what_was_written_and_a_second_run_changes_nothing() {
    let folder = Folder::new("property");
    let robot = robot(&folder);
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..400 {
        let old = random.file();
        let before = pairs_of(&folder, &robot, &old);
        let kept: Vec<_> = before
            .iter()
            .map(|(&(a, b), &reason)| pair(a, b, reason))
            .collect();
        assert_eq!(write(&old, &robot, &kept).text, old);
        let wanted = random.wanted();
        let found = write(&old, &robot, &wanted);
        let asked: BTreeMap<_, _> = wanted
            .iter()
            .map(|pair| ((pair.a.min(pair.b), pair.a.max(pair.b)), pair.reason))
            .collect();
        assert_eq!(
            pairs_of(&folder, &robot, &found.text),
            asked,
            "{old}\n---\n{}",
            found.text
        );
        assert_eq!(write(&found.text, &robot, &wanted).text, found.text);
        let ([old_rest, new_rest], counted) = (
            [&old, &found.text].map(|text| rest_of(text)),
            found.added + found.changed + found.unchanged,
        );
        assert_eq!(old_rest, new_rest, "{old}\n---\n{}", found.text);
        assert_eq!(
            (counted, found.removed),
            (
                asked.len(),
                before
                    .keys()
                    .filter(|pair| !asked.contains_key(pair))
                    .count()
            )
        );
    }
}

#[test]
fn the_real_files_come_back_as_they_are() {
    let Some(data) = common::data() else { return };
    for (urdf, srdf) in [
        ("robots/panda/panda.urdf", "robots/panda/panda.srdf"),
        ("robots/ur5/ur5_robot.urdf", "robots/ur5/ur5.srdf"),
        ("robots/pr2/pr2.urdf", "robots/pr2/pr2.srdf"),
    ] {
        let robot = read_urdf(&data.join(urdf)).unwrap_or_else(|error| panic!("{error}"));
        let path = data.join(srdf);
        let old = std::fs::read_to_string(&path).expect("text");
        let mut wanted: Vec<_> = read_srdf(&path, &robot)
            .unwrap_or_else(|error| panic!("{error}"))
            .disabled
            .iter()
            .map(|own| pair(own.a, own.b, DisabledReason::of_word(own.reason.as_deref())))
            .collect();
        let same = write(&old, &robot, &wanted);
        assert!(same.text == old && same.added + same.removed + same.changed == 0);
        let has_geometry = |link: usize| !robot.links[link].collisions.is_empty();
        let at = wanted
            .iter()
            .position(|own| has_geometry(own.a) && has_geometry(own.b));
        let gone = wanted.remove(at.expect("a pair of links with geometry"));
        wanted.retain(|own| (own.a, own.b) != (gone.a, gone.b));
        let found = write(&old, &robot, &wanted);
        assert_eq!((found.removed, found.added, found.changed), (1, 0, 0));
        let lines = old.lines().count() - found.text.lines().count();
        assert!((1..=2).contains(&lines), "{srdf}: {lines}");
    }
}
