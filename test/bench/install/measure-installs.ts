/** Prepares the projects and the registries, and measures the installs of each client. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { originAddresses } from '../../../infra/origin-addresses.ts';
import { findMissing } from '../../support/needed-programs.ts';
import { startProgressBar } from '../progress-bar.ts';
import { approvePackages } from './approve-packages.ts';
import { type Client, type Project, type ProjectOptions, withFolder } from './client.ts';
import { openKeptAnswers } from './kept-answers.ts';
import { prepareMavenProject } from './maven-project.ts';
import { prepareNpmProject } from './npm-project.ts';
import { type OriginServer, startOrigin } from './origin.ts';
import type { Size } from './projects.ts';
import { preparePythonProject } from './python-project.ts';
import { type Registry, startRegistry } from './registry.ts';
import { base, type ClientReport, type Report, summarize } from './report.ts';
import { type Candidate, type Install, runRounds } from './rounds.ts';
import { startVerdaccio } from './verdaccio.ts';

const root = join(import.meta.dirname, '../../..');

/** Tools, and the projects that they install. */
export const tools = {
  npm: { program: 'npm', prepare: prepareNpmProject },
  uv: { program: 'uv', prepare: preparePythonProject },
  maven: { program: 'mvn', prepare: prepareMavenProject },
} as const;
export type Tool = keyof typeof tools;

export interface Options {
  readonly rounds: number;
  readonly size: Size;
  /** Delay of each answer of the origin, in milliseconds. */
  readonly delayMs: number;
  readonly tools: readonly Tool[];
  /** Time limit for the rounds of one client, in milliseconds. */
  readonly clientMs: number;
  /** Called with the figures of each client, so that a later failure loses nothing. */
  readonly onMeasured: (report: Report) => void;
}

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

const prepareProjects = async (
  { tools: wanted, size }: Options,
  { origin, folder }: Pick<ProjectOptions, 'origin' | 'folder'>,
): Promise<readonly Project[]> => {
  const projects: Project[] = [];
  for (const tool of wanted) {
    const { program, prepare } = tools[tool];
    if (findMissing([program]).length > 0) {
      say(`${program} is not installed, so its installs are not measured.`);
      continue;
    }
    say(`Resolving the project of ${program} ...`);
    const own = join(folder, tool);
    mkdirSync(own);
    projects.push(await prepare({ origin, size, folder: own }));
  }
  return projects;
};

interface Machines {
  readonly origin: OriginServer;
  readonly registry: Registry;
  readonly verdaccio: string;
  /** Folder for installs. */
  readonly folder: string;
}

const listCandidates = (
  { ecosystem }: Client,
  { origin, registry, verdaccio }: Machines,
): readonly Candidate[] => [
  { name: base, address: origin.addresses[ecosystem] },
  { name: 'gate', address: registry.addresses[ecosystem] },
  ...(ecosystem === 'npm' ? [{ name: 'Verdaccio', address: verdaccio }] : []),
];

const installOnce = async (
  client: Client,
  { address }: Candidate,
  { origin, registry, folder }: Machines,
): Promise<Install> => {
  origin.takeRequests();
  await registry.takeUsage();
  const installation = await withFolder(folder, (empty) => client.install(address, empty));
  const { requests, readUnits } = await registry.takeUsage();
  const originRequests = origin.takeRequests().length;
  return { ...installation, gateRequests: requests, originRequests, readUnits };
};

const measureClient = async (
  client: Client,
  machines: Machines,
  { rounds, clientMs }: Options,
): Promise<ClientReport> => {
  const bar = startProgressBar(client.name);
  const end = performance.now() + clientMs;
  const measured = await runRounds({
    candidates: listCandidates(client, machines),
    install: (candidate) => installOnce(client, candidate, machines),
    goOn: (done) => {
      bar.update(done / rounds);
      return done === 0 || (done < rounds && performance.now() < end);
    },
  });
  bar.finish();
  return summarize(measured);
};

const measureIn = async (folder: string, options: Options): Promise<void> => {
  const { docker: _, ...upstream } = originAddresses();
  const kept = openKeptAnswers(join(root, '.bench/install'));
  await using stack = new AsyncDisposableStack();
  const { delayMs } = options;
  const origin = stack.adopt(await startOrigin({ upstream, kept, delayMs }), (one) => one.close());
  const projects = await prepareProjects(options, { origin, folder });
  say('Starting the registry ...');
  const registry = stack.adopt(await startRegistry(origin.addresses), (one) => one.close());
  await approvePackages(
    registry,
    projects.flatMap(({ packages }) => packages),
  );
  const verdaccio = stack.adopt(
    await startVerdaccio(join(folder, 'verdaccio'), origin.addresses.npm),
    (one) => one.close(),
  );
  say('Waiting until the workers have nothing to do ...');
  await registry.settle();
  const machines = { origin, registry, verdaccio: verdaccio.address, folder };
  const report: Record<string, ClientReport> = {};
  for (const client of projects.flatMap(({ clients }) => clients)) {
    report[client.name] = await measureClient(client, machines, options);
    options.onMeasured(report);
  }
};

export const measureInstalls = async (options: Options): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-install-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  await measureIn(folder, options);
};
