#!/usr/bin/env node
// What `npx rounds` runs first. It is plain JavaScript that every Node since 12 can read: an older Node cannot load the
// TypeScript behind it, and would say so with a stack instead of a sentence.
const NEEDED_MAJOR = 24

if (Number(process.versions.node.split('.')[0]) < NEEDED_MAJOR) {
  process.stderr.write(
    `Rounds needs Node ${NEEDED_MAJOR} or later, and this is Node ${process.versions.node}: get it from https://nodejs.org/en/download, or run ". scripts/use-node.sh" on Linux.\n`,
  )
  process.exitCode = 1
} else {
  void import('../src/cli.ts')
}
