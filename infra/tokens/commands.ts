import { createToken, writeDigestEntry } from '../../shared/domain/tokens/new-token.ts';
import { readScopes, scopes } from '../../shared/domain/tokens/scope.ts';
import { endsInScope, isTokenLabel } from '../../shared/domain/tokens/token-label.ts';
import { type TokenEntry, TokenListError } from '../../shared/domain/tokens/token-list.ts';
import { rotateList } from '../../shared/platform/auth/rotated-list.ts';
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
import type { TokenSecret } from './secret.ts';
import { UsageError } from './usage-error.ts';

/** What a command is given besides the registry. */
export interface CommandFlags {
  readonly label?: string | undefined;
  readonly scope?: string | undefined;
  readonly fingerprint?: string | undefined;
}

/** What came of a command: the token that it made goes to standard output, and nowhere else. */
interface Result {
  readonly token?: string;
  readonly entries?: readonly EntryDescription[];
  readonly told: string;
}

type Command = (secret: TokenSecret, flags: CommandFlags) => Promise<Result>;

const inForce = 'A new token works within 10 seconds; a removed one stops within 60.';
const shownOnce = 'It is not shown again: the secret has its digest alone.';

/** The label of the one token of a frozen list, which nobody has. */
const frozenLabel = 'frozen';

/** What is no list at all is not frozen, and may have to be. */
const isFrozen = (value: string): boolean => {
  try {
    const [first, second] = splitEntries(value);
    return first?.entry?.label === frozenLabel && second === undefined;
  } catch (error) {
    if (error instanceof TokenListError) return false;
    throw error;
  }
};

/** @throws {Error} while the list is frozen: thawing would undo what is done to it */
const readThawed = async (secret: TokenSecret) => {
  const version = await secret.read();
  if (isFrozen(version.value)) throw new Error('The list is frozen: thaw it first.');
  return version;
};

const readLabel = ({ label }: CommandFlags): string => {
  if (label !== undefined && isTokenLabel(label) && label.trim() !== frozenLabel)
    return label.trim();
  throw new UsageError(
    '--label says whose token it is: a name such as ci, without colons, commas and slashes, and without signs that look like a slash.',
  );
};

const readScopeFlag = ({ scope }: CommandFlags) => {
  const said = scope === undefined ? undefined : readScopes(scope);
  if (scope === undefined || said) return said;
  throw new UsageError(`--scope is ${scopes.join(' or ')}; without it, a token is for everything.`);
};

/** @throws {UsageError} for a label that ends in the name of a scope, without scopes: that is not clear enough for a token for everything */
const readOwner = (flags: CommandFlags) => {
  const owner = { label: readLabel(flags), scopes: readScopeFlag(flags) };
  if (owner.scopes || !endsInScope(owner.label)) return owner;
  throw new UsageError(
    `"${owner.label}" ends in the name of a scope, and the token would be for everything: give --scope too.`,
  );
};

/** An entry for everything says so by saying nothing, unless its label ends in the name of a scope. */
const describeOwner = (label: string, { scopes: said }: TokenEntry) => ({
  label,
  scopes: said.length < scopes.length || endsInScope(label) ? said : undefined,
});

const listFingerprints = (entries: readonly TokenEntry[]): string =>
  entries.map(toFingerprint).join(', ');

const list: Command = async (secret) => {
  const { value } = await secret.read();
  const entries = describeEntries(value);
  const frozen = isFrozen(value) ? ' The list is frozen: nobody can write.' : '';
  const open = entries.length === 0 ? ' Authentication is off: anybody may write.' : '';
  return { entries, told: `${entries.length} in the list.${frozen}${open}` };
};

const issue: Command = async (secret, flags) => {
  const owner = readOwner(flags);
  const version = await readThawed(secret);
  const token = createToken();
  await secret.replace(version, addEntry(version.value, writeDigestEntry(token, owner)));
  const first =
    splitEntries(version.value).length === 0 ? ' Authentication was off, and is on now.' : '';
  return { token, told: `A token for ${owner.label}. ${shownOnce} ${inForce}${first}` };
};

const revoke: Command = async (secret, { label, fingerprint }) => {
  if (label === undefined && fingerprint === undefined) {
    throw new UsageError(
      'Say which: --label for all of a label, --fingerprint for one. list shows both.',
    );
  }
  const version = await readThawed(secret);
  const meant = findEntries(version.value, { label, fingerprint });
  if (meant.length === 0) throw new Error('There is no such token in the list.');
  const rest = removeEntries(version.value, new Set(meant.map(toFingerprint)));
  if (rest === undefined) {
    throw new Error(
      'Without it the list is empty, and anybody may write: issue another first, or freeze.',
    );
  }
  await secret.replace(version, rest);
  return { told: `Revoked ${listFingerprints(meant)}. ${inForce}` };
};

/** What the deployment generated is replaced as the schedule does it: clients read it from the secret. */
const rotateGenerated = async (secret: TokenSecret): Promise<Result> => {
  const version = await readThawed(secret);
  const value = rotateList(version.value, createToken(), 1);
  if (value === version.value) {
    throw new Error('The list has no token that the deployment generated: give --label.');
  }
  await secret.replace(version, value);
  const told = 'The generated token is rotated: FirstTokenCommand reads the new one.';
  return { told: `${told} The one before stays until the next rotation. ${inForce}` };
};

/** @throws {Error} where the label has tokens for different things, and nothing says which are meant */
const findRotated = (value: string, label: string, said: string | undefined) => {
  const entries = findEntries(value, { label });
  const purposes = [...new Set(entries.map(describeScopes))];
  if (said === undefined && purposes.length > 1) {
    throw new Error(`${label} has tokens for ${purposes.join(' and for ')}: say which by --scope.`);
  }
  return entries.filter((entry) => said === undefined || describeScopes(entry) === said);
};

/** Of the tokens of a label for the same, the newest stays for as long as its clients need to move. */
const rotate: Command = async (secret, flags) => {
  if (flags.label === undefined && flags.scope === undefined) return rotateGenerated(secret);
  const label = readLabel(flags);
  const said = readScopeFlag(flags)?.join('+');
  const version = await readThawed(secret);
  const meant = findRotated(version.value, label, said);
  const newest = meant.at(-1);
  if (!newest) {
    const what = said === undefined ? '' : ` for ${said}`;
    throw new Error(`There is no token of ${label}${what} in the list: issue one.`);
  }
  const older = meant.slice(0, -1);
  const kept = removeEntries(version.value, new Set(older.map(toFingerprint))) ?? version.value;
  const token = createToken();
  const entry = writeDigestEntry(token, describeOwner(label, newest));
  await secret.replace(version, addEntry(kept, entry));
  const gone = older.length > 0 ? ` Older ones are revoked: ${listFingerprints(older)}.` : '';
  const told = `A new token for ${label}. ${shownOnce}${gone} Once its clients have it: revoke --fingerprint ${toFingerprint(newest)}.`;
  return { token, told: `${told} ${inForce}` };
};

const freeze: Command = async (secret) => {
  const version = await secret.read();
  if (isFrozen(version.value)) return { told: 'The list is frozen already.' };
  // The token is known to nobody, as soon as this function is left.
  await secret.freeze(version, writeDigestEntry(createToken(), { label: frozenLabel }));
  return { told: 'Within 60 seconds nobody can write. thaw goes back to the list as it was.' };
};

const thaw: Command = async (secret) => {
  const version = await secret.read();
  if (!isFrozen(version.value)) throw new Error('The list is not frozen.');
  const kept = await secret.findKept();
  if (kept === undefined) throw new Error('There is no list from before the freeze: put one.');
  await secret.thaw(version, kept);
  return { told: 'The list is as it was before the freeze. Its tokens work within 10 seconds.' };
};

/** What can be done with the tokens of a registry. */
export const commands: Readonly<Record<string, Command>> = {
  list,
  issue,
  revoke,
  rotate,
  freeze,
  thaw,
};
