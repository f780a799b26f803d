import * as z from 'zod';

/** Maximum size of an admission review, in bytes: the request limit of the Kubernetes API server. */
export const maxReviewBytes = 3 * 1024 * 1024;

const apiVersion = z.literal('admission.k8s.io/v1', {
  error: 'must be admission.k8s.io/v1: set admissionReviewVersions to that',
});
const kind = z.literal('AdmissionReview', { error: 'must be AdmissionReview' });

const Containers = z.array(z.object({ image: z.string().optional() })).nullish();

const podSpec = {
  containers: Containers,
  initContainers: Containers,
  ephemeralContainers: Containers,
  volumes: z
    .array(z.object({ image: z.object({ reference: z.string().optional() }).nullish() }))
    .nullish(),
};
const Template = z.object({ spec: z.object(podSpec).nullish() }).nullish();
const JobTemplate = z.object({ spec: z.object({ template: Template }).nullish() }).nullish();

/** Pod, or a workload that creates pods. Contains only the fields that name images. */
const Workload = z.object({
  kind: z.string().optional(),
  spec: z.object({ ...podSpec, template: Template, jobTemplate: JobTemplate }).nullish(),
});

/** Request of a cluster before it admits an object. Other fields of the request are ignored. */
export const AdmissionReview = z
  .object({
    apiVersion,
    kind,
    request: z.object({
      uid: z.string().describe('Identifier of the review. The answer repeats it.'),
      object: Workload.nullish().describe(
        'The pod, or the workload that creates pods. Null for a deletion.',
      ),
      oldObject: Workload.nullish().describe('The object before a change.'),
    }),
  })
  .describe('A Kubernetes AdmissionReview, as the API server sends it.');
export type AdmissionReview = z.output<typeof AdmissionReview>;

/** Response to an admission review: whether a cluster may run a pod, or how its images change. */
export const AdmissionAnswer = z
  .strictObject({
    apiVersion,
    kind,
    response: z.strictObject({
      uid: z.string(),
      allowed: z.boolean(),
      status: z
        .strictObject({ code: z.int(), message: z.string() })
        .optional()
        .describe('The reason for a refusal.'),
      warnings: z
        .array(z.string().max(120))
        .optional()
        .describe('Approved images that have issues.'),
      patchType: z.literal('JSONPatch').optional(),
      patch: z
        .string()
        .optional()
        .describe('JSON Patch (RFC 6902) in base64, which adds digests to images.'),
    }),
  })
  .describe('The decision: whether the pod may run, or how its images change.');
export type AdmissionAnswer = z.infer<typeof AdmissionAnswer>;
