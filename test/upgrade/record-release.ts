import { vi } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { dataFormat } from '../../shared/api/data-format.ts';
import { allFunctions, type RegistryFunctionId } from '../../shared/api/functions.ts';
import { startExercised } from '../contract/exercised-registry.ts';
import { packagePath } from '../support/registry.ts';
import { readAnswers, readTables, startLoaded } from './loaded-registry.ts';
import type { ReleaseData } from './release-data.ts';

/** Returns whether answers depend on stored data: pages, programs and the keys of a deployment do not. */
const isOfData = (path: string): boolean => /^\/(api|npm|pypi|maven)\//.test(path);

/** Collects the paths of all GET requests to the registry, until it ends. */
const watchReads = (url: string): { readonly paths: Set<string>; end: () => void } => {
  const paths = new Set<string>();
  const { fetch } = globalThis;
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const to = String(input);
    const path = to.startsWith(url) ? to.slice(url.length) : '';
    if (isOfData(path) && (init?.method ?? 'GET') === 'GET') paths.add(path);
    return fetch(input, init);
  });
  return { paths, end: () => spy.mockRestore() };
};

/** Reads that no function needs for its permissions. */
const listMore = ({ packages }: ReleaseData['tables']): string[] => [
  '/api/v1/licenses/MIT/compatibility/Apache-2.0',
  ...packages
    .flatMap(({ name }) => name?.S ?? [])
    .flatMap((name) =>
      ['', '/evidence', '/history', '/attestation'].map((suffix) => packagePath(name, suffix)),
    ),
];

/** Has every function of this release store what it can. */
const fillTables = async (): Promise<
  Pick<ReleaseData, 'tables' | 'recordedAt'> & { readonly paths: string[] }
> => {
  const exercised = await startExercised();
  const { registry } = exercised;
  const reads = watchReads(registry.url);
  for (const { id } of allFunctions) await exercised.exercise(id as RegistryFunctionId);
  reads.end();
  const tables = await readTables(registry.stack);
  const recordedAt = registry.clock.at(0);
  await exercised.close();
  return { tables, recordedAt, paths: [...new Set([...reads.paths, ...listMore(tables)])].sort() };
};

/** Returns the data of this release: what every function stores, and what it answers about them to every read. */
export const recordRelease = async (): Promise<ReleaseData> => {
  const { paths, ...data } = await fillTables();
  const registry = await startLoaded(data);
  const answers = await readAnswers(registry, paths);
  await registry.close();
  return { release: packageJson.version, format: dataFormat, ...data, answers };
};
