import type * as z from 'zod';
import {
  Acceptance,
  AcceptanceAnswer,
  AcceptanceRequest,
  AcceptanceWithdrawal,
} from './acceptance.ts';
import { AdmissionAnswer, AdmissionReview } from './admission.ts';
import { Attention, AttentionPage } from './attention.ts';
import { Attestation, KeySet, PublicKey } from './attestation.ts';
import { AutomaticSubmission } from './automatic-submission.ts';
import { Batch, BatchPage } from './batch.ts';
import { Caller } from './caller.ts';
import { VersionChange, VersionChanges } from './changes.ts';
import { CheckAnswer, CheckedPackage } from './check.ts';
import { CheckRequest } from './check-request.ts';
import { Claim, ClaimAnswer, ClaimRequest } from './claim.ts';
import { Comment, CommentRequest } from './comment.ts';
import { Approval, Rejection } from './decision.ts';
import { DependencyList } from './dependency-list.ts';
import { EventPage, RegistryEvent } from './event.ts';
import { VersionEvidence } from './evidence.ts';
import { Expiration, ExpirationPage } from './expiration.ts';
import { Freeze, FreezeRequest, FreezeStatus } from './freeze.ts';
import {
  HeldRecall,
  HeldRecallDecision,
  HeldRecallPage,
  HeldRecallRequest,
} from './held-recall.ts';
import { HistoryEntry, HistoryPage } from './history.ts';
import {
  LicenseCompatibility,
  LicenseDecision,
  LicenseListItem,
  LicensePage,
  LicenseRecord,
} from './license.ts';
import { LicenseVersionPage } from './license-versions.ts';
import { ListedPage, ListedVersion } from './listed.ts';
import { DecisionList, ItemResult, PackageDecision, ResultList, SubmissionList } from './many.ts';
import { PackageAnswer, PackageListItem, PackagePage } from './package.ts';
import {
  PolicyPreview,
  PolicyPreviewResult,
  PolicyRun,
  PolicyStatus,
  ReviewPolicy,
  Rule,
} from './policy.ts';
import { Problem } from './problem.ts';
import {
  OwnerReplacement,
  PackageProjects,
  Project,
  ProjectDetail,
  ProjectPage,
  ProjectUse,
  RemovedRef,
  ReplacedOwner,
  VulnerabilityProjects,
} from './project.ts';
import { ProjectUses, ProjectUsesRequest, VersionUses } from './project-uses.ts';
import { Recall, RecallPage } from './recall.ts';
import { Review, ReviewPage } from './review.ts';
import { ReviewSummary } from './review-summary.ts';
import {
  DismissedScans,
  FoundVulnerability,
  ScanDismissal,
  ScannerReport,
  ScanPage,
  ScanResult,
} from './scan.ts';
import { RegistryReport } from './scan-report.ts';
import { ServiceInfo } from './service.ts';
import { ProjectRef, Snapshot, SnapshotRequest } from './snapshot.ts';
import { DayStatistics, Statistics } from './statistics.ts';
import { Submission } from './submission.ts';
import { VulnerabilityDetail, VulnerabilityPage } from './vulnerability.ts';

/** Schemas of the OpenAPI document by name: bodies, responses and the objects inside them. */
export const namedSchemas = {
  Acceptance,
  AcceptanceAnswer,
  AcceptanceRequest,
  AcceptanceWithdrawal,
  AdmissionAnswer,
  AdmissionReview,
  Approval,
  Attention,
  AttentionPage,
  Attestation,
  AutomaticSubmission,
  Caller,
  CheckAnswer,
  CheckedPackage,
  CheckRequest,
  Claim,
  ClaimAnswer,
  ClaimRequest,
  Comment,
  CommentRequest,
  DayStatistics,
  DecisionList,
  DependencyList,
  EventPage,
  Expiration,
  ExpirationPage,
  Freeze,
  FreezeRequest,
  FreezeStatus,
  HeldRecall,
  HeldRecallDecision,
  HeldRecallPage,
  HeldRecallRequest,
  HistoryEntry,
  HistoryPage,
  ItemResult,
  KeySet,
  LicenseCompatibility,
  LicenseDecision,
  LicenseListItem,
  LicensePage,
  LicenseRecord,
  LicenseVersionPage,
  ListedPage,
  ListedVersion,
  OwnerReplacement,
  RegistryReport,
  PolicyPreview,
  PolicyPreviewResult,
  PolicyRule: Rule,
  PolicyRun,
  PolicyStatus,
  Review,
  ReviewPage,
  ReviewSummary,
  Batch,
  BatchPage,
  ReviewPolicy,
  PackageAnswer,
  PackageDecision,
  PackageListItem,
  PackagePage,
  PackageProjects,
  Problem,
  Project,
  ProjectDetail,
  ProjectPage,
  ProjectRef,
  ProjectUse,
  ProjectUses,
  ProjectUsesRequest,
  RegistryEvent,
  PublicKey,
  Recall,
  RecallPage,
  Rejection,
  RemovedRef,
  ReplacedOwner,
  ResultList,
  DismissedScans,
  ScanDismissal,
  ScannerReport,
  ScanPage,
  ScanResult,
  ServiceInfo,
  Snapshot,
  SnapshotRequest,
  Statistics,
  Submission,
  SubmissionList,
  VersionChange,
  VersionChanges,
  VersionEvidence,
  VersionUses,
  Vulnerability: FoundVulnerability,
  VulnerabilityDetail,
  VulnerabilityPage,
  VulnerabilityProjects,
} as const satisfies Record<string, z.ZodType>;

export type NamedSchemas = typeof namedSchemas;
export type SchemaName = keyof NamedSchemas;
