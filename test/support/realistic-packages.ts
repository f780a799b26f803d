/**
 * Realistic package versions of an organisation, generated from a seed: names, lengths and words like those of public
 * registries, several versions of most packages, and decisions on 90 % of them.
 */

import type { Submission } from '../../shared/api/schemas/submission.ts';
import type { Decision } from '../../shared/domain/review/status.ts';
import type { Ecosystem } from '../../shared/ecosystems/ecosystem.ts';
import { createRandom } from './random.ts';

export interface RealisticPackage {
  readonly submission: Submission;
  /** Absent: still pending. */
  readonly decision?: {
    readonly to: Decision;
    readonly by: string;
    readonly reason: string | null;
  };
}

/** Frequent words first: earlier words are drawn more often. */
const nouns =
  `plugin client core server react utils data web node config types test api loader parser
  cli style module build code file json css service http cloud query stream table cache event router
  form state theme icon editor store schema model token auth image text font color grid chart map video
  audio media player date time calendar format string array object number promise worker queue task job
  scheduler logger log trace metric monitor agent proxy gateway bridge adapter driver connector database
  sql graph document search index key value session cookie header request response socket channel message
  mail push notification template view layout component widget button menu modal dialog tooltip slider
  carousel gallery upload download sync backup storage bucket archive zip crypto hash cipher secret vault
  policy rule validator lint compiler transpiler bundler minifier optimizer generator scaffold starter
  runtime engine kernel shell terminal console prompt spinner progress report coverage mock fixture
  assertion benchmark profiler debugger inspector network protocol packet dns ip tls certificate oauth
  saml ldap user account profile role permission tenant billing invoice payment order cart product
  inventory catalog price currency locale translation language grammar lexer syntax tree
  polyfill shim wrapper binding native math matrix vector tensor geometry physics statistics
  forecast classifier tokenizer embedding pipeline workflow saga reducer selector hook context provider
  registry package manifest lockfile version release changelog deploy container cluster pod volume ingress
  lambda function trigger sensor device firmware serial bluetooth camera barcode printer`.split(
    /\s+/,
  );

const brands =
  `acme babel angular vue nest aws-sdk types jest webpack rollup storybook ember svelte apollo
  prisma hapi fastify gatsby expo ionic octokit firebase azure google-cloud datadog sentry elastic apache
  spring google jackson netty hibernate micronaut quarkus junit mockito eclipse jetbrains square airbnb
  uber netflix twitter linkedin grafana hashicorp bitnami prom linuxserver rancher istio envoy kubernetes
  openshift redhat gitlab atlassian pulumi snyk vercel shopify stripe twilio lodash django flask pytest
  zope plone jupyter pandas numpy scipy scikit torch keras airflow celery sphinx`.split(/\s+/);

const adjectives =
  `simple fast easy small modern async lightweight universal flexible tiny powerful secure
  typed reactive functional minimal pluggable high-performance zero-dependency extensible robust`.split(
    /\s+/,
  );

const links = 'for and with to from of in on using'.split(' ');

const licenses =
  `MIT MIT MIT MIT Apache-2.0 Apache-2.0 ISC BSD-3-Clause BSD-2-Clause MPL-2.0 GPL-3.0-only`
    .split(' ')
    .concat('MIT OR Apache-2.0');

const people = ['ana', 'build-bot', 'chen.wei', 'dependency-bot', 'fatima', 'platform-team', 'tom'];

const createDice = (seed: number) => {
  const { next } = createRandom(seed);
  /** Draws one of the list; a skew above 1 prefers early ones. */
  const pick = (list: readonly string[], skew = 1): string =>
    list[Math.floor(list.length * next() ** skew)] ?? '';
  const times = (count: number, word: () => string): string[] =>
    Array.from({ length: count }, word);
  const between = (low: number, high: number): number =>
    low + Math.floor(next() * (high - low + 1));
  return { pick, times, between, chance: (share: number): boolean => next() < share };
};

type Dice = ReturnType<typeof createDice>;

const noun = ({ pick }: Dice): string => pick(nouns, 1.6);

const compound = (dice: Dice, separator: string): string =>
  dice.times(dice.between(1, 3), () => noun(dice)).join(separator);

const nameIn: Readonly<Record<Ecosystem, (dice: Dice) => string>> = {
  npm: (dice) => {
    const name = compound(dice, '-');
    return dice.chance(0.4) ? `@${dice.pick(brands)}/${name}` : name;
  },
  pypi: (dice) => {
    const name = compound(dice, dice.chance(0.2) ? '_' : '-');
    return dice.chance(0.4) ? `${dice.chance(0.5) ? 'py' : dice.pick(brands)}-${name}` : name;
  },
  maven: (dice) => {
    const group = [dice.pick(['org', 'com', 'io']), dice.pick(brands)];
    if (dice.chance(0.4)) group.push(noun(dice));
    return `${group.join('.')}:${dice.pick(brands)}-${compound(dice, '-')}`;
  },
  docker: (dice) => {
    const image = `${dice.pick(brands)}/${compound(dice, '-')}`;
    return dice.chance(0.3) ? `${dice.pick(['ghcr.io', 'quay.io'])}/${image}` : image;
  },
};

const suffixIn: Readonly<Record<Ecosystem, string>> = {
  npm: '',
  pypi: '',
  maven: '.RELEASE',
  docker: '-alpine',
};

const ecosystemFor = ({ between }: Dice): Ecosystem => {
  const of100 = between(1, 100);
  if (of100 <= 45) return 'npm';
  if (of100 <= 70) return 'pypi';
  return of100 <= 90 ? 'maven' : 'docker';
};

/** A phrase or two, sometimes a paragraph, rarely nothing. */
const descriptionFor = (dice: Dice): string | null => {
  if (dice.chance(0.05)) return null;
  const phrase = (): string =>
    `${dice.pick(adjectives)} ${noun(dice)} ${noun(dice)} ${dice.pick(links)} ${noun(dice)}`;
  const phrases = dice.chance(0.06) ? dice.between(3, 8) : dice.between(1, 2);
  const text = dice.times(phrases, phrase).join(` ${dice.pick(links)} `);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${dice.chance(0.4) ? '.' : ''}`;
};

/** A package with consecutive versions. */
interface Project {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly description: string | null;
  readonly license: string | null;
  readonly release: [major: number, minor: number, patch: number];
}

const startProject = (dice: Dice, taken: Set<string>): Project => {
  const ecosystem = ecosystemFor(dice);
  let name = nameIn[ecosystem](dice);
  while (taken.has(name.replaceAll('_', '-'))) name = `${name}-${noun(dice)}`;
  taken.add(name.replaceAll('_', '-'));
  return {
    ecosystem,
    name,
    description: descriptionFor(dice),
    license: dice.chance(0.05) ? null : dice.pick(licenses),
    release: [dice.between(0, 5), dice.between(0, 9), 0],
  };
};

const nextVersion = ({ ecosystem, release }: Project, dice: Dice): string => {
  if (dice.chance(0.2)) {
    release[1] += 1;
    release[2] = dice.between(0, 3);
  } else release[2] += 1;
  return `${release.join('.')}${dice.chance(0.3) ? suffixIn[ecosystem] : ''}`;
};

const submissionOf = (project: Project, dice: Dice): Submission => {
  const { ecosystem, name, description, license } = project;
  const path = `${dice.pick(brands)}/${name.replace(/^.*[/:]/, '')}`;
  return {
    ecosystem,
    name,
    version: nextVersion(project, dice),
    ...(description !== null && { description }),
    ...(license !== null && { license }),
    ...(dice.chance(0.6) && { homepage: `https://${path.replace('/', '.example/')}` }),
    ...(dice.chance(0.8) && { repository: `https://git.example/${path}` }),
    submitted_by: dice.pick(people),
  };
};

const decisionFor = (dice: Dice): Pick<RealisticPackage, 'decision'> => {
  const of10 = dice.between(1, 10);
  if (of10 === 1) return {};
  const by = dice.pick(people);
  if (of10 > 2) return { decision: { to: 'approved', by, reason: null } };
  return { decision: { to: 'rejected', by, reason: `the ${noun(dice)} is not maintained` } };
};

/** Average number of versions per package. */
const versionsEach = 4;

/** Returns the first versions of the seed's infinite list, in the order of submission. */
export function* realisticPackages(count: number, seed = 1): Generator<RealisticPackage> {
  const dice = createDice(seed);
  const taken = new Set<string>();
  const projects: Project[] = [];
  for (let made = 0; made < count; made += 1) {
    const known = projects[dice.between(0, projects.length)];
    const isNew = known === undefined || dice.chance(1 / versionsEach);
    const project = isNew ? startProject(dice, taken) : known;
    if (isNew) projects.push(project);
    yield { submission: submissionOf(project, dice), ...decisionFor(dice) };
  }
}
