import { RegistryError } from '../../../domain/errors.ts';
import { findIntegrity } from '../../../domain/facts/npm-integrity.ts';
import { type FileRules, locateFile } from '../../../domain/packages/file-places.ts';
import type { PackageId } from '../../../domain/packages/package-id.ts';
import { isTooMuchToRead } from '../../../storage/dynamodb/read-budget.ts';
import { listApproved } from '../../../storage/packages/approved-versions.ts';
import { runInParallel } from '../../../util/in-parallel.ts';
import { readTextAt } from '../../../util/json.ts';
import { listServed } from '../../gate/approved.ts';
import { findPinned } from '../../gate/find-pinned.ts';
import { refusePackage, refusePlace, refuseUnchecked } from '../../gate/refusal.ts';
import { makePackument } from './approved-packument.ts';
import { listOptionalNames } from './installable.ts';
import { readNpmRequest } from './request.ts';

const parallelReads = 10;

interface NpmContext {
  /** The address of the gate, without a slash at its end. */
  readonly base: string;
  /** Where files may come from. */
  readonly files: FileRules;
  readonly now: Date;
}

/** The approved versions of a package that others may do without; none where the request may read no more. */
const listPinned = async (name: string, now: Date): Promise<string[]> => {
  try {
    const found = await listApproved({ ecosystem: 'npm', name }, now);
    return found.filter((item) => item.pinned).map(({ version }) => version);
  } catch (error) {
    if (isTooMuchToRead(error)) return [];
    throw error;
  }
};

const servePackument = async (name: string, { base, now }: NpmContext): Promise<object> => {
  const asked = { ecosystem: 'npm', name } as const;
  const { newest, served } = await listServed('npm', asked, now);
  const optional = listOptionalNames(served.map(({ manifest }) => manifest.version));
  const approved = await runInParallel(optional, parallelReads, async (one) => {
    return [one, await listPinned(one, now)] as const;
  });
  const packument = makePackument(name, served, { base, approved: new Map(approved) });
  if (!packument) throw await refusePackage(asked, newest, now);
  return packument;
};

/** Where the file of an approved version is. */
const findTarball = async (id: PackageId, { files, now }: NpmContext): Promise<string> => {
  const { version } = await findPinned('npm', id, now);
  const { dist } = version;
  if (!findIntegrity(dist)) throw refuseUnchecked(id);
  const address = locateFile(readTextAt(dist, 'tarball') ?? '', files);
  if (address === undefined) throw refusePlace(id);
  return address;
};

/** Answers what a client of npm asks, by what is approved at this moment. */
export const serveNpm = async (
  path: string,
  context: NpmContext,
): Promise<{ readonly document: object } | { readonly location: string }> => {
  const request = readNpmRequest(path, context.base);
  if (!request) throw new RegistryError('route_not_found', 'The gate does not serve this.');
  if (request.kind === 'ping') return { document: {} };
  const { name } = request;
  if (request.kind === 'packument') return { document: await servePackument(name, context) };
  const id = { ecosystem: 'npm', name, version: request.version } as const;
  return { location: await findTarball(id, context) };
};
