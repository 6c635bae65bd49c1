import { totalmem } from 'node:os'

/** The memory that this process may use: the limit of its cgroup (version 1 or 2), or else the memory of the machine. */
export function memoryLimitBytes(): number {
  // Without a limit it is 0, or larger than any machine.
  const ofCgroup = process.constrainedMemory()
  return ofCgroup > 0 ? Math.min(ofCgroup, totalmem()) : totalmem()
}
