import * as z from 'zod';

/** A JSON Patch (RFC 6902) that replaces texts and does nothing else. */
const Patch = z.array(
  z.strictObject({ op: z.literal('replace'), path: z.string(), value: z.string() }),
);

/** Returns the steps of a JSON Pointer (RFC 6901). */
const readPointer = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

const findHolder = (document: unknown, steps: readonly string[]): Record<string, unknown> =>
  steps.reduce<Record<string, unknown>>((holder, step) => Object(holder)[step], Object(document));

/** Returns a copy of a document with a patch in base64 applied. Each replaced place must exist and hold a text. */
export const applyPatch = <T>(document: T, base64: string): T => {
  const copy = structuredClone(document);
  const operations = Patch.parse(JSON.parse(Buffer.from(base64, 'base64').toString('utf8')));
  for (const { path, value } of operations) {
    const steps = readPointer(path);
    const last = steps.pop() ?? '';
    const holder = findHolder(copy, steps);
    if (typeof holder[last] !== 'string') throw new Error(`${path} is no text`);
    holder[last] = value;
  }
  return copy;
};
