import type { AdmissionReview } from '../../../api/schemas/admission.ts';

type Workload = NonNullable<AdmissionReview['request']['object']>;
type PodSpec = Pick<
  NonNullable<Workload['spec']>,
  'containers' | 'initContainers' | 'ephemeralContainers' | 'volumes'
>;

/** Kinds that create pods from a template. */
const controllerKinds = [
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'ReplicaSet',
  'ReplicationController',
  'Job',
  'CronJob',
] as const;

/** Kinds of pods and pod controllers. Their specs list all images that will run. */
export const workloadKinds = ['Pod', ...controllerKinds] as const;

/** True for a kind whose images are known. An object without a kind counts as a pod. */
export const isWorkloadKind = (kind: string | undefined): boolean =>
  kind === undefined || workloadKinds.some((one) => one === kind);

/** True for a kind whose pods are reviewed themselves before they run. */
export const isControllerKind = (kind: string | undefined): boolean =>
  controllerKinds.some((one) => one === kind);

/** An image of a workload, with its place. */
export interface PlacedImage {
  readonly image: string;
  /** JSON Pointer (RFC 6901) of the image inside the workload. */
  readonly path: string;
}

const containerLists = ['containers', 'initContainers', 'ephemeralContainers'] as const;

const listOfPod = (spec: PodSpec, path: string): PlacedImage[] => {
  const ofContainers = containerLists.flatMap((list) =>
    (spec[list] ?? []).map(({ image }, at) => ({ image, path: `${path}/${list}/${at}/image` })),
  );
  const ofVolumes = (spec.volumes ?? []).map(({ image }, at) => ({
    image: image?.reference,
    path: `${path}/volumes/${at}/image/reference`,
  }));
  return [...ofContainers, ...ofVolumes].flatMap(({ image, path: place }) =>
    image === undefined ? [] : [{ image, path: place }],
  );
};

/** Returns the images of a workload: of all containers and volumes of the pod, or of its templates. */
export const listWorkloadImages = ({ spec }: Workload): readonly PlacedImage[] => {
  const pods: readonly (readonly [PodSpec | null | undefined, string])[] = [
    [spec, '/spec'],
    [spec?.template?.spec, '/spec/template/spec'],
    [spec?.jobTemplate?.spec?.template?.spec, '/spec/jobTemplate/spec/template/spec'],
  ];
  return pods.flatMap(([pod, path]) => (pod ? listOfPod(pod, path) : []));
};
