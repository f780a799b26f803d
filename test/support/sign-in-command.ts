import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { CommandLine, RunOptions } from './command-line.ts';
import { signInAt } from './provider-pages.ts';
import type { Ended } from './warm-commands.ts';

/** A `login --sso` that shows an address, with the page that the browser shows in the end. */
interface SignedIn extends Ended {
  readonly page: { readonly status: number; readonly text: string };
}

/** Resolves to the address that a command shows on standard error. */
const findAddress = async (stderr: AsyncIterable<Buffer>, seen: string[]): Promise<string> => {
  for await (const chunk of stderr) {
    seen.push(chunk.toString());
    const [, address] = /browser: (\S+)\n/.exec(seen.join('')) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error(`No address was shown: ${seen.join('')}`);
};

/** Runs `login --sso` in a process of its own, while somebody acts in the browser. */
export const runSignIn = async (
  commandLine: CommandLine,
  args: readonly string[],
  options: RunOptions,
  act: (address: string) => Promise<SignedIn['page']> = (address) => signInAt(address, 'ana'),
): Promise<SignedIn> => {
  const child = commandLine.start(['login', '--sso', ...args], options);
  child.stdin.end();
  const closed = once(child, 'close');
  const stdout = text(child.stdout);
  const stderr: string[] = [];
  const iterator = child.stderr[Symbol.asyncIterator]();
  const once_ = { [Symbol.asyncIterator]: () => ({ next: () => iterator.next() }) };
  const page = await act(await findAddress(once_, stderr));
  for await (const chunk of once_) stderr.push(chunk.toString());
  const [code] = await closed;
  return { code, stdout: await stdout, stderr: stderr.join(''), page };
};
