/** Routes that check packages before an installation or a deployment. */
import { checkSettings } from '../check-settings.ts';
import type { Route } from '../route.ts';
import { AdmissionReview, maxReviewBytes } from '../schemas/admission.ts';
import { CheckRequest } from '../schemas/check-request.ts';
import { NoQuery } from '../schemas/no-query.ts';
import { manyMaxBytes } from './common-access.ts';

export const checkPackages = {
  id: 'check-packages',
  method: 'POST',
  path: '/api/v1/check',
  summary: 'Check whether package versions may be used',
  access: {
    packages: ['QueryIndex:by-ecosystem-and-status'],
    reviews: ['BatchGetItem', 'GetItem'],
    licenses: ['BatchGetItem'],
    settings: checkSettings,
  },
  query: NoQuery,
  body: { schema: CheckRequest, optional: false, maxBytes: manyMaxBytes },
  success: { status: 200, answer: 'CheckAnswer' },
  errors: [],
} as const satisfies Route;

export const admitPod = {
  id: 'admit-pod',
  method: 'POST',
  path: '/api/v1/kubernetes/admission',
  summary: 'Check whether a pod may run (Kubernetes admission)',
  access: {
    packages: ['QueryIndex:by-ecosystem-and-status'],
    reviews: ['GetItem', 'BatchGetItem'],
    settings: ['ownPackages', 'osvScanning', 'collectFacts'],
  },
  query: NoQuery,
  // The API server adds a timeout.
  anyQuery: true,
  body: { schema: AdmissionReview, optional: false, maxBytes: maxReviewBytes },
  success: { status: 200, answer: 'AdmissionAnswer' },
  errors: [],
} as const satisfies Route;

export const pinImages = {
  id: 'pin-images',
  method: 'POST',
  path: '/api/v1/kubernetes/mutation',
  summary: "Add the approved digests to a pod's images (Kubernetes admission)",
  access: { reviews: ['GetItem', 'BatchGetItem'], settings: ['ownPackages'] },
  query: NoQuery,
  // The API server adds a timeout.
  anyQuery: true,
  body: { schema: AdmissionReview, optional: false, maxBytes: maxReviewBytes },
  success: { status: 200, answer: 'AdmissionAnswer' },
  errors: [],
} as const satisfies Route;
