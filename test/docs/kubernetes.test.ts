import { readFileSync } from 'node:fs';
import { load, loadAll } from 'js-yaml';
import type {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from 'kubernetes-types/admissionregistration/v1.js';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { admitPod, pinImages } from '../../shared/api/routes.ts';
import { workloadKinds } from '../../shared/ecosystems/docker/gate/workload-images.ts';

const page = readFileSync('docs/kubernetes.md', 'utf8');
const blocks = [...page.matchAll(/^```yaml\n(.*?)^```/gms)].map(([, block = '']) => block);

/** A name of a webhook: a domain name of at least three parts. */
const webhookName = z.string().regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+){2,}$/);
/** Key of a label: an optional domain name, and a name. */
const labelKey = z
  .string()
  .regex(/^(?:[a-z0-9.-]+\/)?[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/);
const labelValue = z.string().regex(/^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$/);

/** An expression of a label selector. `Exists` and `DoesNotExist` take no values, and the others need some. */
const Expression = z.union([
  z.strictObject({
    key: labelKey,
    operator: z.enum(['In', 'NotIn']),
    values: z.array(labelValue).min(1),
  }),
  z.strictObject({ key: labelKey, operator: z.enum(['Exists', 'DoesNotExist']) }),
]);

const Selector = z.strictObject({
  matchLabels: z.record(labelKey, labelValue).exactOptional(),
  matchExpressions: z.array(Expression).exactOptional(),
});

/** Fields of both kinds by the API reference of admissionregistration.k8s.io/v1. Unknown ones are an error. */
const webhook = {
  name: webhookName,
  admissionReviewVersions: z.array(z.enum(['v1', 'v1beta1'])).min(1),
  sideEffects: z.enum(['None', 'NoneOnDryRun']),
  failurePolicy: z.enum(['Fail', 'Ignore']),
  timeoutSeconds: z.int().min(1).max(30),
  matchPolicy: z.enum(['Exact', 'Equivalent']).exactOptional(),
  rules: z
    .array(
      z.strictObject({
        apiGroups: z.array(z.string()).min(1),
        apiVersions: z.array(z.string()).min(1),
        operations: z.array(z.enum(['CREATE', 'UPDATE', 'DELETE', 'CONNECT', '*'])).min(1),
        resources: z.array(z.string()).min(1),
        scope: z.enum(['Cluster', 'Namespaced', '*']).exactOptional(),
      }),
    )
    .min(1),
  namespaceSelector: Selector,
  // The API server refuses other schemes, credentials, queries and fragments.
  clientConfig: z.strictObject({ url: z.string().regex(/^https:\/\/[^@?#]+$/) }),
};

const common = {
  apiVersion: z.literal('admissionregistration.k8s.io/v1'),
  metadata: z.strictObject({ name: z.string().regex(/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/) }),
};

const Mutating = z.strictObject({
  ...common,
  kind: z.literal('MutatingWebhookConfiguration'),
  webhooks: z
    .array(z.strictObject({ ...webhook, reinvocationPolicy: z.enum(['Never', 'IfNeeded']) }))
    .length(1),
});
const Validating = z.strictObject({
  ...common,
  kind: z.literal('ValidatingWebhookConfiguration'),
  webhooks: z.array(z.strictObject(webhook)).length(1),
});

const [first, second, ...others] = blocks.flatMap((block) => loadAll(block));
// The types are those of Kubernetes' own OpenAPI document.
const mutating = Mutating.parse(first) satisfies MutatingWebhookConfiguration;
const validating = Validating.parse(second) satisfies ValidatingWebhookConfiguration;

const [mutation] = mutating.webhooks;
const [validation] = validating.webhooks;

/** Resource of a kind: its plural. */
const toResource = (kind: string): string => `${kind.toLowerCase()}s`;

const groups: Readonly<Record<string, string>> = {
  ...{ Pod: '', ReplicationController: '', Job: 'batch', CronJob: 'batch' },
  ...{ Deployment: 'apps', StatefulSet: 'apps', DaemonSet: 'apps', ReplicaSet: 'apps' },
};

const covers = (hook: typeof validation, group: string, resource: string): boolean =>
  (hook?.rules ?? []).some(
    ({ apiGroups, apiVersions, operations, resources }) =>
      apiGroups.includes(group) &&
      apiVersions.includes('v1') &&
      operations.includes('CREATE') &&
      operations.includes('UPDATE') &&
      resources.includes(resource),
  );

describe('the webhooks of docs/kubernetes.md', () => {
  it('are the two of one block', () => {
    expect(blocks).toHaveLength(1);
    expect(others).toEqual([]);
  });

  it('send the reviews to the routes of the registry', () => {
    expect([mutation, validation].map((one) => one?.clientConfig.url)).toEqual(
      [pinImages, admitPod].map(({ path }) => `https://registry.example.com/prod${path}`),
    );
  });

  it.each([mutation, validation])('refuse pods that no registry answered about: $name', (one) => {
    expect(one).toMatchObject({
      ...{ failurePolicy: 'Fail', sideEffects: 'None', admissionReviewVersions: ['v1'] },
    });
  });

  it('review all kinds of workloads, and containers for debugging', () => {
    const missing = workloadKinds.filter(
      (kind) => !covers(validation, groups[kind] ?? '-', toResource(kind)),
    );

    expect(missing).toEqual([]);
    expect(covers(validation, '', 'pods/ephemeralcontainers')).toBe(true);
  });

  it('change pods alone, and again after other webhooks', () => {
    expect(mutation?.rules.flatMap(({ resources }) => resources)).toEqual([
      'pods',
      'pods/ephemeralcontainers',
    ]);
    expect(covers(mutation, '', 'pods') && covers(mutation, '', 'pods/ephemeralcontainers')).toBe(
      true,
    );
    expect(mutation?.reinvocationPolicy).toBe('IfNeeded');
  });

  it('act in the namespaces with the label that the page sets', () => {
    const [, key = '', value = ''] =
      /`kubectl label namespace \w+ ([^=`]+)=([^`]+)`/.exec(page) ?? [];

    for (const one of [mutation, validation]) {
      expect(one?.namespaceSelector).toEqual({ matchLabels: { [key]: value } });
    }
  });

  it('may have the selector of all namespaces instead', () => {
    const [, expressions = ''] = /`matchExpressions: (\[[^`]+\])`/.exec(page) ?? [];

    const selector = Selector.parse({ matchExpressions: load(expressions) });

    expect(selector.matchExpressions).toMatchObject([{ operator: 'NotIn' }]);
  });
});
