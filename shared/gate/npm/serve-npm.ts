import { RegistryError } from '../../domain/errors.ts';
import { readTextAt } from '../../domain/json.ts';
import type { PackageId } from '../../domain/package-id.ts';
import { runInParallel } from '../../in-parallel.ts';
import { listApproved } from '../../store/packages/approved-versions.ts';
import { listServed } from '../approved.ts';
import { findPinned } from '../find-pinned.ts';
import { refusePackage, refuseUnpinned } from '../refusal.ts';
import { findIntegrity, listOptionalNames, makePackument } from './packument.ts';
import { readNpmRequest } from './request.ts';

const parallelReads = 10;

interface NpmContext {
  /** The address of the gate, without a slash at its end. */
  readonly base: string;
  /** The address of the origin, from which files may come. */
  readonly origin: string;
  readonly now: Date;
}

const servePackument = async (name: string, { base, now }: NpmContext): Promise<object> => {
  const versions = await listServed('npm', { ecosystem: 'npm', name }, now);
  const optional = listOptionalNames(versions);
  const approved = await runInParallel(optional, parallelReads, async (one) => {
    const found = await listApproved({ ecosystem: 'npm', name: one }, now);
    return [one, found.map(({ version }) => version)] as const;
  });
  const packument = makePackument(name, versions, { base, approved: new Map(approved) });
  if (!packument) throw refusePackage('npm', name);
  return packument;
};

const isAtOrigin = (address: string, origin: string): boolean =>
  URL.canParse(address) && new URL(address).host === new URL(origin).host;

/** Where the file of an approved version is. */
const findTarball = async (id: PackageId, { origin, now }: NpmContext): Promise<string> => {
  const { version } = await findPinned('npm', id, now);
  const { dist } = version;
  const address = readTextAt(dist, 'tarball') ?? '';
  if (!findIntegrity(dist)) throw refuseUnpinned(id);
  if (isAtOrigin(address, origin)) return address;
  throw new RegistryError(
    'not_approved',
    `${id.name} ${id.version} is approved, but its file lies at another host than its registry`,
  );
};

/** Answers what a client of npm asks, by what is approved at this moment. */
export const serveNpm = async (
  path: string,
  context: NpmContext,
): Promise<{ readonly document: object } | { readonly location: string }> => {
  const request = readNpmRequest(path);
  if (!request) throw new RegistryError('route_not_found', 'The gate does not serve this.');
  if (request.kind === 'ping') return { document: {} };
  const { name } = request;
  if (request.kind === 'packument') return { document: await servePackument(name, context) };
  const id = { ecosystem: 'npm', name, version: request.version } as const;
  return { location: await findTarball(id, context) };
};
