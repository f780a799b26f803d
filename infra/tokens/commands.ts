import { frozenLabel } from '../../shared/domain/tokens/frozen-list.ts';
import { countRoom, isNearlyFull, measureList } from '../../shared/domain/tokens/list-size.ts';
import { createToken, writeDigestEntry } from '../../shared/domain/tokens/new-token.ts';
import { readScopes, scopes } from '../../shared/domain/tokens/scope.ts';
import { endsInScope, isTokenLabel } from '../../shared/domain/tokens/token-label.ts';
import { type TokenEntry, TokenListError } from '../../shared/domain/tokens/token-list.ts';
import { rotateList } from '../../shared/platform/auth/rotated-list.ts';
import { parseDuration } from '../../shared/util/duration.ts';
import { UsageError } from '../usage-error.ts';
import {
  addEntry,
  describeEntries,
  describeScopes,
  type EntryDescription,
  findEntries,
  removeEntries,
  splitEntries,
  toFingerprint,
} from './entries.ts';
import { findLastUses, searchedDays } from './last-used.ts';
import type { TokenSecret } from './secret.ts';

/** The flags of a command, without those that name the registry. */
export interface CommandFlags {
  readonly label?: string | undefined;
  readonly scope?: string | undefined;
  readonly fingerprint?: string | undefined;
  readonly expires?: string | undefined;
  readonly used?: boolean | undefined;
  readonly stack?: string | undefined;
}

/** The result of a command. Only standard output gets the new token. */
interface Result {
  readonly token?: string;
  readonly entries?: readonly EntryDescription[];
  readonly message: string;
}

type Command = (secret: TokenSecret, flags: CommandFlags) => Promise<Result>;

const inForce = 'A new token works within 10 seconds; a removed one stops within 60.';
const shownOnce = 'It is not shown again: the secret has only its digest.';

/** Returns a sentence about a list that is nearly full, with a space before it; an empty text for other lists. */
const describeRoom = (value: string): string =>
  isNearlyFull(measureList(value))
    ? ` The list is nearly full, with room for about ${countRoom(value)} more tokens: revoke expired and unused ones, which list --used shows.`
    : '';

/** Returns whether the value is a frozen list. A malformed list is not frozen. */
const isFrozen = (value: string): boolean => {
  try {
    const [first, second] = splitEntries(value);
    return first?.entry?.label === frozenLabel && second === undefined;
  } catch (error) {
    if (error instanceof TokenListError) return false;
    throw error;
  }
};

/** Returns the current list. @throws {Error} while it is frozen, because thawing would undo changes */
const readThawed = async (secret: TokenSecret) => {
  const version = await secret.read();
  if (isFrozen(version.value)) throw new Error('The list is frozen: thaw it first.');
  return version;
};

const readLabel = ({ label }: CommandFlags): string => {
  if (label !== undefined && isTokenLabel(label) && label.trim() !== frozenLabel)
    return label.trim();
  throw new UsageError(
    '--label is the name of the owner, such as ci, without colons, commas and slashes, and without characters that look like a slash.',
  );
};

const readScopeFlag = ({ scope }: CommandFlags) => {
  const given = scope === undefined ? undefined : readScopes(scope);
  if (scope === undefined || given) return given;
  throw new UsageError(`--scope is ${scopes.join(' or ')}; without it, a token has all scopes.`);
};

/** Returns when a new token expires. @throws {UsageError} for text that is neither a duration nor a future day */
const readExpires = ({ expires: text }: CommandFlags): Date | undefined => {
  if (text === undefined) return undefined;
  const ms = parseDuration(text);
  const expires = ms === undefined ? new Date(text) : new Date(Date.now() + ms);
  if (expires.getTime() > Date.now()) return expires;
  throw new UsageError(
    '--expires is a duration such as 12h, 90d, 2w or 1y, or a future day such as 2027-01-31.',
  );
};

/** Returns label and scopes. @throws {UsageError} for a label that ends in the name of a scope, without `--scope` */
const readOwner = (flags: CommandFlags) => {
  const owner = { label: readLabel(flags), scopes: readScopeFlag(flags) };
  if (owner.scopes || !endsInScope(owner.label)) return owner;
  throw new UsageError(
    `"${owner.label}" ends in the name of a scope, and the token would have all scopes: add --scope.`,
  );
};

/** Returns label and scopes for a new entry. All scopes are left out, unless the label ends in the name of a scope. */
const describeOwner = (label: string, { scopes: given }: TokenEntry) => ({
  label,
  scopes: given.length < scopes.length || endsInScope(label) ? given : undefined,
});

const listFingerprints = (entries: readonly TokenEntry[]): string =>
  entries.map(toFingerprint).join(', ');

/** Adds when each token was last used, for `--used`. @throws {UsageError} without a stack, whose log has it */
const addLastUses = async (
  entries: readonly EntryDescription[],
  { used, stack }: CommandFlags,
): Promise<readonly EntryDescription[]> => {
  if (!used) return entries;
  if (stack === undefined) {
    throw new UsageError('--used needs --stack: it searches the request log of a deployment.');
  }
  const lastUses = await findLastUses(stack);
  const never = `not in ${searchedDays} days`;
  return entries.map((entry) => ({
    ...entry,
    used: entry.fingerprint === '' ? '' : (lastUses.get(entry.fingerprint) ?? never),
  }));
};

const list: Command = async (secret, flags) => {
  const { value } = await secret.read();
  const entries = await addLastUses(describeEntries(value), flags);
  const frozen = isFrozen(value) ? ' The list is frozen: nobody can write.' : '';
  const open = entries.length === 0 ? ' Authentication is off: everyone may write.' : '';
  return {
    entries,
    message: `${entries.length} in the list.${frozen}${open}${describeRoom(value)}`,
  };
};

const issue: Command = async (secret, flags) => {
  const owner = readOwner(flags);
  const expires = readExpires(flags);
  const version = await readThawed(secret);
  const token = createToken();
  const dates = { created: new Date(), expires };
  const value = addEntry(version.value, writeDigestEntry(token, { ...owner, ...dates }));
  await secret.replace(version, value);
  const first =
    splitEntries(version.value).length === 0 ? ' Authentication was off, and is on now.' : '';
  return {
    token,
    message: `A token for ${owner.label}. ${shownOnce} ${inForce}${first}${describeRoom(value)}`,
  };
};

const revoke: Command = async (secret, { label, fingerprint }) => {
  if (label === undefined && fingerprint === undefined) {
    throw new UsageError(
      'revoke needs --label, for all tokens of a label, or --fingerprint, for one. list shows both.',
    );
  }
  const version = await readThawed(secret);
  const meant = findEntries(version.value, { label, fingerprint });
  if (meant.length === 0) throw new Error('There is no such token in the list.');
  const rest = removeEntries(version.value, new Set(meant.map(toFingerprint)));
  if (rest === undefined) {
    throw new Error(
      'Without it the list is empty, and everyone may write: issue another token first, or freeze.',
    );
  }
  await secret.replace(version, rest);
  return { message: `Revoked ${listFingerprints(meant)}. ${inForce}` };
};

/** Replaces the token that the deployment generated, as the schedule does. Clients read it from the secret. */
const rotateGenerated = async (secret: TokenSecret): Promise<Result> => {
  const version = await readThawed(secret);
  const value = rotateList(version.value, createToken(), 1);
  if (value === version.value) {
    throw new Error('The list has no token that the deployment generated: give --label.');
  }
  await secret.replace(version, value);
  const message = 'The generated token is rotated: FirstTokenCommand prints the new one.';
  const previous = 'The previous one stays valid until the next rotation.';
  return { message: `${message} ${previous} ${inForce}${describeRoom(value)}` };
};

/** Returns the label's tokens with these scopes. @throws {Error} if their scopes differ and none are given */
const findRotated = (value: string, label: string, given: string | undefined) => {
  const entries = findEntries(value, { label });
  const purposes = [...new Set(entries.map(describeScopes))];
  if (given === undefined && purposes.length > 1) {
    throw new Error(`${label} has tokens for ${purposes.join(' and for ')}: choose by --scope.`);
  }
  return entries.filter((entry) => given === undefined || describeScopes(entry) === given);
};

/**
 * Returns when a token expires that has the same lifetime as an earlier one; undefined if that one does not expire.
 * @throws {Error} if the lifetime is not known
 */
const renewExpiry = ({ created, expires }: TokenEntry): Date | undefined => {
  if (!expires) return undefined;
  if (created) return new Date(Date.now() + expires.getTime() - created.getTime());
  throw new Error('The token expires, and its lifetime is not known: give --expires.');
};

/** Issues another token for a label, keeps the newest one while clients switch, and revokes the older ones. */
const rotate: Command = async (secret, flags) => {
  if (flags.label === undefined && flags.scope === undefined) return rotateGenerated(secret);
  const label = readLabel(flags);
  const given = readScopeFlag(flags)?.join('+');
  const version = await readThawed(secret);
  const meant = findRotated(version.value, label, given);
  const newest = meant.at(-1);
  if (!newest) {
    const what = given === undefined ? '' : ` for ${given}`;
    throw new Error(`There is no token of ${label}${what} in the list: issue one.`);
  }
  const older = meant.slice(0, -1);
  const kept = removeEntries(version.value, new Set(older.map(toFingerprint))) ?? version.value;
  const token = createToken();
  const dates = { created: new Date(), expires: readExpires(flags) ?? renewExpiry(newest) };
  const entry = writeDigestEntry(token, { ...describeOwner(label, newest), ...dates });
  const value = addEntry(kept, entry);
  await secret.replace(version, value);
  const gone = older.length > 0 ? ` Older ones are revoked: ${listFingerprints(older)}.` : '';
  const message = `A new token for ${label}. ${shownOnce}${gone} When its clients use it: revoke --fingerprint ${toFingerprint(newest)}.`;
  return { token, message: `${message} ${inForce}${describeRoom(value)}` };
};

const freeze: Command = async (secret) => {
  const version = await secret.read();
  if (isFrozen(version.value)) return { message: 'The list is frozen already.' };
  // Nobody knows the token: this function discards it.
  await secret.freeze(
    version,
    writeDigestEntry(createToken(), { label: frozenLabel, created: new Date() }),
  );
  return { message: 'Within 60 seconds nobody can write. thaw restores the previous list.' };
};

const thaw: Command = async (secret) => {
  const version = await secret.read();
  if (!isFrozen(version.value)) throw new Error('The list is not frozen.');
  const kept = await secret.findKept();
  if (kept === undefined)
    throw new Error('There is no list from before the freeze: set the secret yourself.');
  await secret.thaw(version, kept);
  return { message: 'The list is as it was before the freeze. Its tokens work within 10 seconds.' };
};

/** The commands of `npm run tokens`, by name. */
export const commands: Readonly<Record<string, Command>> = {
  list,
  issue,
  revoke,
  rotate,
  freeze,
  thaw,
};
