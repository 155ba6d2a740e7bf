"""The compiled backend: a program as one WebAssembly module that runs on the same state images.

What is compiled is what the reference interpreter compiles to closures: the checked game's typed expressions and
statements, and the procs that `interpreter.lowering` makes of them. After every decision the bytes of the image and the
list of options are those of the reference.

- `binary`, `code`     the binary format, and writing functions
- `shapes`, `emitter`  how values are kept, and the dispatch from forms to the functions that write them
- `expressions`, `collections`, `heads`, `candidates`, `staging`, `roles`, `values`, `amounts`  expressions and choices
- `picks`, `connected`, `combinations`, `subsets`, `copies`  several elements at once, and copies that are alike
- `zones`, `knowledge`, `statements`, `operations`, `chance`, `starts`  what changes the state
- `procs`, `sites`     bodies that suspend, and the decisions at which they do
- `options`, `sealing` the list of options, random players who choose from it, and answers that are sealed
- `module`, `playing`  what hosts call: begin, go on, play, check, step many games
- `sieves`, `masks`, `situations`  passes: conditions on members as operations on sets, and as tables
- `remembering`, `answers`  answers that are kept
- `machine`            the host's side
"""
