import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { temporaryDirectory } from '../../test/support/dev.ts'
import { needs, programOf } from '../../test/support/needs.ts'

const POD = 512 * 1_024 * 1_024
/** As the kernel prints "no limit" for version 1. */
const UNLIMITED = '9223372036854771712'

const CASES = {
  'version 2, in a container': { cgroup: '0::/\n', file: 'memory.max', limit: String(POD), is: POD },
  'version 2, a unit of systemd': {
    cgroup: '0::/system.slice/rounds.service\n',
    file: 'system.slice/rounds.service/memory.max',
    limit: String(POD),
    is: POD,
  },
  'version 2, without a limit': { cgroup: '0::/\n', file: 'memory.max', limit: 'max', is: totalmem() },
  'version 1': {
    cgroup: '4:memory:/docker/abc\n1:cpu:/docker/abc\n',
    file: 'memory/docker/abc/memory.limit_in_bytes',
    limit: String(POD),
    is: POD,
  },
  'version 1, mounted as the container sees it': {
    cgroup: '4:memory:/docker/abc\n',
    file: 'memory/memory.limit_in_bytes',
    limit: String(POD),
    is: POD,
  },
  'version 1, without a limit': {
    cgroup: '4:memory:/\n',
    file: 'memory/memory.limit_in_bytes',
    limit: UNLIMITED,
    is: totalmem(),
  },
}

const SCRIPT = `import { memoryLimitBytes } from '${join(import.meta.dirname, 'memory-limit.ts')}'
console.log(memoryLimitBytes())`

for (const [name, { cgroup, file, limit, is }] of Object.entries(CASES)) {
  test(`the memory limit is read from cgroups ${name}`, needs('linux', 'root', 'unshare', 'mount'), () => {
    const dir = temporaryDirectory()
    mkdirSync(dirname(join(dir, 'fs', file)), { recursive: true })
    writeFileSync(join(dir, 'fs', file), `${limit}\n`)
    // A cgroup has both: where only the other is set, this one says that there is no limit.
    const soft = file.replace(/max$/, 'high').replace('memory.limit', 'memory.soft_limit')
    writeFileSync(join(dir, 'fs', soft), `${file.endsWith('max') ? 'max' : UNLIMITED}\n`)
    writeFileSync(join(dir, 'cgroup'), cgroup)
    // In a mount namespace of its own; `exec` keeps the process, whose file of cgroups is replaced.
    const shell = `mount --bind "$1/cgroup" "/proc/$$/cgroup" && mount --bind "$1/fs" /sys/fs/cgroup && exec "$2" -e "$3"`
    const args = ['--mount', 'sh', '-euc', shell, 'sh', dir, process.execPath, SCRIPT]
    assert.equal(Number(execFileSync(programOf('unshare'), args, { encoding: 'utf8' })), is)
  })
}
