/** Admission reviews as the API server of Kubernetes sends them: whole objects, in the order of its fields. */

import type { DaemonSet, Deployment, ReplicaSet, StatefulSet } from 'kubernetes-types/apps/v1.js';
import type { UserInfo } from 'kubernetes-types/authentication/v1.js';
import type { CronJob, Job } from 'kubernetes-types/batch/v1.js';
import type {
  Container,
  Pod,
  PodSpec,
  PodTemplateSpec,
  ReplicationController,
} from 'kubernetes-types/core/v1.js';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.js';

/** All workloads that a review can be about. */
export type ReviewedObject =
  | Pod
  | Deployment
  | StatefulSet
  | DaemonSet
  | ReplicaSet
  | ReplicationController
  | Job
  | CronJob;

interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

interface GroupVersionResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** `AdmissionReview` of admission.k8s.io/v1, which the OpenAPI document of Kubernetes does not have. */
export interface SentReview {
  readonly kind: 'AdmissionReview';
  readonly apiVersion: 'admission.k8s.io/v1';
  readonly request: {
    readonly uid: string;
    readonly kind: GroupVersionKind;
    readonly resource: GroupVersionResource;
    readonly subResource?: string;
    readonly requestKind: GroupVersionKind;
    readonly requestResource: GroupVersionResource;
    readonly requestSubResource?: string;
    readonly name: string;
    readonly namespace: string;
    readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
    readonly userInfo: UserInfo;
    readonly object: ReviewedObject | null;
    readonly oldObject: ReviewedObject | null;
    readonly dryRun: boolean;
    readonly options: object;
  };
}

/** The images of a pod, by their kind of place. */
export interface PodImages {
  readonly containers: readonly string[];
  readonly initContainers?: readonly string[];
  readonly ephemeralContainers?: readonly string[];
  readonly volumes?: readonly string[];
}

const uid = '705ab4f5-6393-11e8-b7cc-42010a800002';
const time = '2026-11-28T09:00:00Z';

const metadata = (labels: Readonly<Record<string, string>>): ObjectMeta => ({
  ...{ name: 'shop', namespace: 'trial', uid: 'b6d4b0b1-5a0c-4d54-9f0e-0f4f4b5b0c11' },
  ...{ creationTimestamp: time, generation: 1, labels },
  annotations: {
    'kubectl.kubernetes.io/last-applied-configuration':
      '{"apiVersion":"v1","kind":"Pod","spec":{"containers":[{"image":"written-by-users:1"}]}}',
  },
  managedFields: [
    {
      ...{ manager: 'kubectl-client-side-apply', operation: 'Update', apiVersion: 'v1', time },
      fieldsType: 'FieldsV1',
      fieldsV1: {
        'f:spec': { 'f:containers': { 'k:{"name":"c-0"}': { '.': {}, 'f:image': {} } } },
      },
    },
  ],
});

const toContainer =
  (prefix: string) =>
  (image: string, at: number): Container => ({
    ...{ name: `${prefix}-${at}`, image, imagePullPolicy: 'IfNotPresent' },
    ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
    env: [{ name: 'IMAGE', value: 'never-submitted:1.0' }],
    resources: { limits: { cpu: '500m', memory: '128Mi' }, requests: { cpu: '250m' } },
    volumeMounts: [
      {
        ...{ name: 'kube-api-access-x2x7n', readOnly: true },
        mountPath: '/var/run/secrets/kubernetes.io/serviceaccount',
      },
    ],
    ...{ terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' },
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
  });

/** An image volume, which is newer than the types. */
interface ImageVolume {
  readonly name: string;
  readonly image: { readonly reference: string; readonly pullPolicy: string };
}

const accessVolume = {
  name: 'kube-api-access-x2x7n',
  projected: {
    sources: [
      { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    ],
    defaultMode: 420,
  },
};

const toSpec = (images: PodImages): PodSpec => {
  const { containers, initContainers, ephemeralContainers, volumes = [] } = images;
  const ofImages: readonly ImageVolume[] = volumes.map((reference, at) => ({
    name: `v-${at}`,
    image: { reference, pullPolicy: 'IfNotPresent' },
  }));
  return {
    volumes: [accessVolume, ...ofImages],
    ...(initContainers && { initContainers: initContainers.map(toContainer('i')) }),
    containers: containers.map(toContainer('c')),
    ...(ephemeralContainers && { ephemeralContainers: ephemeralContainers.map(toContainer('e')) }),
    ...{ restartPolicy: 'Always', terminationGracePeriodSeconds: 30, dnsPolicy: 'ClusterFirst' },
    ...{ serviceAccountName: 'default', serviceAccount: 'default', securityContext: {} },
    ...{ schedulerName: 'default-scheduler', priority: 0, enableServiceLinks: true },
    tolerations: [
      {
        ...{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
        tolerationSeconds: 300,
      },
    ],
  };
};

const labels = { app: 'shop' };
const selector = { matchLabels: labels };

const toTemplate = (images: PodImages): PodTemplateSpec => ({
  metadata: { labels },
  spec: toSpec(images),
});

const makePod = (images: PodImages): Pod => ({
  ...{ kind: 'Pod', apiVersion: 'v1', metadata: metadata(labels), spec: toSpec(images) },
  status: { phase: 'Pending', qosClass: 'Burstable' },
});

const resource = (group: string, plural: string): GroupVersionResource => ({
  ...{ group, version: 'v1', resource: plural },
});

/** The workloads of all kinds, with the same images. */
export const workloads: Readonly<
  Record<
    string,
    {
      readonly resource: GroupVersionResource;
      readonly make: (images: PodImages) => ReviewedObject;
    }
  >
> = {
  Pod: { resource: resource('', 'pods'), make: makePod },
  Deployment: {
    resource: resource('apps', 'deployments'),
    make: (images): Deployment => ({
      ...{ kind: 'Deployment', apiVersion: 'apps/v1', metadata: metadata(labels) },
      spec: {
        ...{ replicas: 2, selector, template: toTemplate(images), revisionHistoryLimit: 10 },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } },
        progressDeadlineSeconds: 600,
      },
      status: { observedGeneration: 1, replicas: 2, unavailableReplicas: 2 },
    }),
  },
  StatefulSet: {
    resource: resource('apps', 'statefulsets'),
    make: (images): StatefulSet => ({
      ...{ kind: 'StatefulSet', apiVersion: 'apps/v1', metadata: metadata(labels) },
      spec: {
        ...{ replicas: 1, selector, template: toTemplate(images), serviceName: 'shop' },
        ...{ podManagementPolicy: 'OrderedReady', updateStrategy: { type: 'RollingUpdate' } },
      },
      status: { replicas: 0 },
    }),
  },
  DaemonSet: {
    resource: resource('apps', 'daemonsets'),
    make: (images): DaemonSet => ({
      ...{ kind: 'DaemonSet', apiVersion: 'apps/v1', metadata: metadata(labels) },
      spec: { selector, template: toTemplate(images), updateStrategy: { type: 'RollingUpdate' } },
      status: {
        ...{ currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0 },
        numberReady: 0,
      },
    }),
  },
  ReplicaSet: {
    resource: resource('apps', 'replicasets'),
    make: (images): ReplicaSet => ({
      ...{ kind: 'ReplicaSet', apiVersion: 'apps/v1', metadata: metadata(labels) },
      spec: { replicas: 1, selector, template: toTemplate(images) },
      status: { replicas: 0 },
    }),
  },
  ReplicationController: {
    resource: resource('', 'replicationcontrollers'),
    make: (images): ReplicationController => ({
      ...{ kind: 'ReplicationController', apiVersion: 'v1', metadata: metadata(labels) },
      spec: { replicas: 1, selector: labels, template: toTemplate(images) },
      status: { replicas: 0 },
    }),
  },
  Job: {
    resource: resource('batch', 'jobs'),
    make: (images): Job => ({
      ...{ kind: 'Job', apiVersion: 'batch/v1', metadata: metadata(labels) },
      spec: {
        ...{ parallelism: 1, completions: 1, backoffLimit: 6, template: toTemplate(images) },
        ...{ completionMode: 'NonIndexed', suspend: false },
      },
      status: {},
    }),
  },
  CronJob: {
    resource: resource('batch', 'cronjobs'),
    make: (images): CronJob => ({
      ...{ kind: 'CronJob', apiVersion: 'batch/v1', metadata: metadata(labels) },
      spec: {
        ...{ schedule: '*/5 * * * *', concurrencyPolicy: 'Allow', suspend: false },
        jobTemplate: { metadata: {}, spec: { template: toTemplate(images) } },
      },
      status: {},
    }),
  },
};

/** A review of a workload. `oldObject` makes it an update. */
export const reviewOf = (
  object: ReviewedObject,
  {
    oldObject = null,
    subResource,
    dryRun = false,
  }: {
    readonly oldObject?: ReviewedObject | null;
    readonly subResource?: string;
    readonly dryRun?: boolean;
  } = {},
): SentReview => {
  const name = object.kind ?? '';
  const of = workloads[name]?.resource ?? resource('', 'others');
  const kind = { group: of.group, version: of.version, kind: name };
  const options = oldObject ? 'UpdateOptions' : 'CreateOptions';
  return {
    ...{ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1' },
    request: {
      ...{ uid, kind, resource: of },
      ...(subResource !== undefined && { subResource }),
      ...{ requestKind: kind, requestResource: of },
      ...(subResource !== undefined && { requestSubResource: subResource }),
      ...{ name: 'shop', namespace: 'trial', operation: oldObject ? 'UPDATE' : 'CREATE' },
      userInfo: {
        ...{ username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] },
        extra: { 'authentication.kubernetes.io/credential-id': ['X509SHA256=8f1d'] },
      },
      ...{ object, oldObject, dryRun },
      options: {
        ...{ kind: options, apiVersion: 'meta.k8s.io/v1' },
        ...{ fieldManager: 'kubectl-client-side-apply', fieldValidation: 'Strict' },
      },
    },
  };
};
