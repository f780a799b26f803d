import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { expect, it } from 'vitest';

/** The blocks of docs/pipeline.md. No program here runs a workflow, so that its parts are compared with the project. */

const page = readFileSync('docs/pipeline.md', 'utf8');
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  scripts: Readonly<Record<string, string>>;
};

const readBlocks = (language: string): string[] =>
  [...page.matchAll(/^```(\w+)\n(.*?)^```/gms)].flatMap(([, of, text = '']) =>
    of === language ? [text] : [],
  );

interface Job {
  readonly environment: string;
  readonly needs?: string;
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

const workflow = load(readBlocks('yaml')[0] ?? '') as {
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, Job>>;
};

it('deploys production by the same steps as staging, and after it', () => {
  const { staging, production } = workflow.jobs;

  expect(workflow.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
  expect(production).toMatchObject({ environment: 'production', needs: 'staging' });
  expect(production?.steps).toEqual(staging?.steps);
});

it('has pinned actions, and only scripts that the project has', () => {
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
  const actions = steps.flatMap(({ uses }) => uses ?? []);
  const named = steps.flatMap(({ run }) => /npm run ([\w:-]+)/.exec(run ?? '')?.[1] ?? []);

  expect(actions.every((action) => /@[0-9a-f]{40}$/.test(action))).toBe(true);
  expect(named).toEqual(['smoke', 'smoke']);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
});

it('never waits for a question of CDK, and tests each deployment', () => {
  for (const { steps } of Object.values(workflow.jobs)) {
    const runs = steps.flatMap(({ run }) => run ?? []);
    const deploy = runs.findIndex((run) => run.includes('cdk deploy'));

    const [, settings = ''] = /^npx cdk deploy (-c \S+ ?.*?) --/.exec(runs[deploy] ?? '') ?? [];

    expect(settings).toMatch(/^-c stage=/);
    expect(runs[deploy]).toContain('--require-approval never');
    expect(runs[deploy - 1]).toBe(`npx cdk diff ${settings}`);
    expect(runs[deploy + 1]).toContain('npm run smoke');
  }
});

it('lets the role of the pipeline take only the roles of the bootstrap', () => {
  const [rights, trust] = readBlocks('json').map((block) => JSON.parse(block).Statement);

  expect(rights).toEqual([
    {
      Effect: 'Allow',
      Action: 'sts:AssumeRole',
      Resource: expect.stringMatching(/:role\/cdk-hnb659fds-\*-role-\d{12}-[a-z0-9-]+$/),
    },
  ]);
  expect(trust[0].Condition.StringEquals).toMatchObject({
    'token.actions.githubusercontent.com:sub': expect.stringMatching(/:environment:production$/),
  });
});
