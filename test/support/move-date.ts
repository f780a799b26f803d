/**
 * Loaded before the code of a function, it moves what `new Date()` returns by the milliseconds in a file, which a test
 * writes. `Date.now()` stays as it is: the runtime counts by it how much time an invocation has left.
 */
import { readFileSync } from 'node:fs';
import { env } from 'node:process';

const file = env['MOVED_CLOCK'] ?? '';
const RealDate = Date;

class MovedDate extends RealDate {
  constructor(...given: [] | [number]) {
    if (given.length > 0) super(...(given as [number]));
    else super(RealDate.now() + Number(readFileSync(file, 'utf8')));
  }
}

globalThis.Date = MovedDate as DateConstructor;
