import { isDeepStrictEqual } from 'node:util';
import type { PackageId } from '../../domain/packages/package-id.ts';
import type { PackageItem } from '../packages/package-item.ts';
import { findVersion } from '../packages/write-version.ts';
import type { CheckContext } from './tally.ts';

const tries = 3;

/** A version, if it is there, and what else is kept of it. */
export interface Kept<T> {
  readonly version: PackageItem | undefined;
  readonly kept: T;
}

const isSame = (one: PackageItem | undefined, other: PackageItem | undefined): boolean =>
  one?.revision === other?.revision && one?.ordinal === other?.ordinal;

/**
 * Reads what is kept of a version twice, between two looks at the version, so that nothing is judged while it changes:
 * undefined where it does all the time.
 */
export const readSteadily = async <T>(
  id: PackageId,
  read: () => Promise<T>,
  { tally }: CheckContext,
): Promise<Kept<T> | undefined> => {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const version = await findVersion(id);
    const kept = await read();
    const again = await read();
    if (isSame(version, await findVersion(id)) && isDeepStrictEqual(kept, again)) {
      return { version, kept };
    }
  }
  tally.leaveUnjudged();
  return undefined;
};
