#!/usr/bin/env node
// A Tessella engine in JavaScript: reads the view, and takes the longest run of tiles it can in Azul.
// tessella engine --check "node engine.js"
const lines = require("node:readline").createInterface({ input: process.stdin });

const titles = ["azul/1", "blockers/1", "duel/1"];
let title = "";
let view = null;
let moves = [];

// In Azul a move is SOURCE COLOUR LINE, as in 3r4: how many tiles of the line does it fill, without one falling?
function value(move) {
  if (title !== "azul/1" || move.startsWith("t")) return 0;
  const [source, colour, line] = move;
  const offer = source === "c" ? view.centre : view.factories[Number(source) - 1];
  const taken = [...offer].filter((tile) => tile === colour).length;
  if (line === "-") return -taken;
  const room = Number(line) - view.boards[view.seat].lines[Number(line) - 1].length;
  return taken > room ? 2 * room - taken : taken + (taken === room ? 1 : 0);
}

function go() {
  if (!moves.length) return ["error there is no position: send moves first"];
  const best = Math.max(...moves.map(value));
  const equal = moves.filter((move) => value(move) === best);
  const move = equal[Math.floor(Math.random() * equal.length)];
  return [`info nodes ${moves.length} line ${move}`, `move ${move}`];
}

function answer(line) {
  const [word, ...rest] = line.split(" ");
  if (line === "tessella 1") return ["name Eager JavaScript", "author Tessella", ...titles.map((t) => `title ${t}`), "ok"];
  if (word === "new" && titles.includes(rest[0])) {
    [title, view, moves] = [rest[0], null, []];
    return ["ok"];
  }
  if (word === "view") {
    view = JSON.parse(line.slice(5));
    return ["ok"];
  }
  if (word === "position") return ["ok"];
  if (word === "moves") {
    moves = rest;
    return ["ok"];
  }
  if (word === "go") return go();
  if (word === "stop") return [];
  if (word === "quit") process.exit(0);
  return ["error unknown command"];
}

lines.on("line", (line) => answer(line).forEach((text) => console.log(text)));
