// A Tessella engine in Rust: plays the last legal move, which in Azul is from the centre if anything lies there.
// rustc -O engine.rs && tessella engine --check ./engine
use std::io::{self, BufRead, Write};

const TITLES: [&str; 3] = ["azul/1", "blockers/1", "duel/1"];

#[derive(Default)]
struct Engine {
    moves: Vec<String>,
}

impl Engine {
    /// The answers to one line; none for `stop`.
    fn answer(&mut self, line: &str) -> Option<String> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        Some(match word {
            "tessella" if rest == "1" => hello(),
            "new" => self.new_game(rest),
            "view" | "position" => "ok".into(), // this engine needs no rules: the moves are enough
            "moves" => {
                self.moves = rest.split(' ').map(String::from).collect();
                "ok".into()
            }
            "go" => self.go(),
            "stop" => return None,
            _ => "error unknown command".into(),
        })
    }

    fn new_game(&mut self, rules: &str) -> String {
        self.moves.clear();
        let title = rules.split(' ').next().unwrap_or("");
        if TITLES.contains(&title) { "ok".into() } else { format!("error {title} is not played") }
    }

    fn go(&self) -> String {
        match self.moves.last() {
            Some(chosen) => format!("move {chosen}"),
            None => "error there is no position: send moves first".into(),
        }
    }
}

fn hello() -> String {
    let titles: Vec<String> = TITLES.iter().map(|title| format!("title {title}")).collect();
    format!("name Last Rust\nauthor Tessella\n{}\nok", titles.join("\n"))
}

fn main() -> io::Result<()> {
    let mut engine = Engine::default();
    for line in io::stdin().lock().lines() {
        let line = line?;
        if line == "quit" { break; }
        if let Some(answer) = engine.answer(line.trim_end()) {
            writeln!(io::stdout(), "{answer}")?; // stdout sends every line at once
        }
    }
    Ok(())
}
