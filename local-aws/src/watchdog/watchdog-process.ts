/** Reads `+<pid>` and `-<pid>` lines, and kills every remaining process when the pipe closes. */
import { createInterface } from 'node:readline';

const guarded = new Set<number>();

for await (const line of createInterface({ input: process.stdin })) {
  const pid = Number(line.slice(1));
  if (line.startsWith('+')) guarded.add(pid);
  else guarded.delete(pid);
}

for (const pid of guarded) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}
