import { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import { synthesiseStack } from '../support/stack-template.ts';
import { alarmProperties } from './properties/alarms.ts';
import { budgetProperties } from './properties/budgets.ts';
import { type Change, changes, typedChanges } from './properties/changes.ts';
import { dataProperties } from './properties/data.ts';
import { eventChanges } from './properties/event-changes.ts';
import { eventProperties } from './properties/events.ts';
import type { Property } from './properties/property.ts';
import { servingProperties } from './properties/serving.ts';

const properties: readonly Property[] = [
  ...alarmProperties,
  ...budgetProperties,
  ...dataProperties,
  ...eventProperties,
  ...servingProperties,
];

let template: Template;
beforeAll(() => {
  // With all workers: an alarm of each is checked.
  template = synthesiseStack({ signDecisions: true });
});

describe('the stack', () => {
  it.each(properties)('$why', ({ check }) => check(template));
});

/** A part of a template at any depth. */
type Part = ReturnType<Template['toJSON']>;

const findParent = (from: Part, path: readonly string[]): Part =>
  path.reduce((part, name) => part[name], from);

/** Returns the template with one change. It throws for a change without an effect. */
const apply = ([, prefix, path, value]: Change): Template => {
  const json = structuredClone(template.toJSON());
  const all = { ...json['Resources'], ...json['Outputs'] };
  const begun = Object.keys(all).filter((id) => id.startsWith(prefix));
  const named = begun.filter((id) => /^[0-9A-F]{8}$/.test(id.slice(prefix.length)));
  const ids = named.length > 0 ? named : begun;
  expect(ids).toHaveLength(1);
  const [id = ''] = ids;
  if (path === '') delete json['Resources'][id];
  else {
    const names = path.split('.');
    const parent = findParent(all[id], names.slice(0, -1));
    const name = names.at(-1) ?? '';
    expect(parent[name]).not.toEqual(value);
    if (value === undefined) delete parent[name];
    else parent[name] = value;
  }
  return Template.fromJSON(json);
};

const isRefused = (changed: Template): boolean =>
  properties.some(({ check }) => {
    try {
      check(changed);
      return false;
    } catch {
      return true;
    }
  });

describe('a change by which the stack', () => {
  it.each([...changes, ...eventChanges])('%s is refused', (...change) => {
    expect(isRefused(apply(change))).toBe(true);
  });
});

/** Additions: a copy of the resource whose logical id has this prefix. */
const additions: readonly (readonly [what: string, like: string])[] = [
  ['has a second reader of a stream', 'sequenceeventsFunctionDynamoDB'],
  ['spends one more resource on an endpoint', 'ApiRestApiapiv1packagesGET'],
];

describe('an addition by which the stack', () => {
  it.each(additions)('%s is refused', (_, like) => {
    const json = structuredClone(template.toJSON());
    const [, resource] =
      Object.entries<Part>(json['Resources']).find(([id]) => id.startsWith(like)) ?? [];
    expect(resource).toBeDefined();
    json['Resources'].Added = resource;

    expect(isRefused(Template.fromJSON(json))).toBe(true);
  });
});

describe('a change of all by which the stack', () => {
  it.each(typedChanges)('%s is refused', (_, type, path, value) => {
    const json = structuredClone(template.toJSON());
    const resources: Part[] = Object.values(json['Resources']);
    const found = resources.filter((resource) => resource['Type'] === type);
    for (const { Properties } of found) Properties[path] = value;

    expect(found.length).toBeGreaterThan(0);
    expect(isRefused(Template.fromJSON(json))).toBe(true);
  });

  it.each(['IteratorAge', 'NumberOfMessagesSent', 'ApproximateNumberOfMessagesVisible'])(
    'ignores %s is refused',
    (metric) => {
      const json = structuredClone(template.toJSON());
      const entries: [string, Part][] = Object.entries(json['Resources']);
      const kept = entries.filter(([, { Properties }]) => Properties?.MetricName !== metric);

      if (kept.length === entries.length) return;
      expect(isRefused(Template.fromJSON({ ...json, Resources: Object.fromEntries(kept) }))).toBe(
        true,
      );
    },
  );
});
