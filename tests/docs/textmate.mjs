// Colours files by a TextMate grammar with the engine of Visual Studio Code, and prints for each the scopes of its tokens.
// node textmate.mjs FOLDER-OF-node_modules GRAMMAR FILE...
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const [, , modules, grammarFile, ...files] = process.argv;
const require = createRequire(`${modules}/here.js`);
const textmate = require("vscode-textmate");
const oniguruma = require("vscode-oniguruma");
const wasm = readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async () => textmate.parseRawGrammar(readFileSync(grammarFile, "utf8"), grammarFile),
});
const grammar = await registry.loadGrammar("source.rules");
const found = files.map((file) => {
  let stack = textmate.INITIAL;
  return readFileSync(file, "utf8").split("\n").map((line) => {
    const done = grammar.tokenizeLine(line, stack);
    stack = done.ruleStack;
    return done.tokens.map((token) => [line.slice(token.startIndex, token.endIndex), token.scopes.slice(1)]);
  });
});
console.log(JSON.stringify(found));
