import type { UnpinnedReason } from './dependency-file.ts';

const gitSpecs = [
  /^(?:git(?:\+[a-z]+)?:|git@|(?:github|gitlab|bitbucket|gist):|ssh:)/i,
  /^https?:[^#]*\.git(?:#|$)/i,
  // Archives of repositories, and how Yarn names a commit.
  /^https?:\/\/codeload\.|^https?:.*#commit=/i,
  /^https?:\/\/(?:www\.)?(?:github|gitlab|bitbucket)\.[a-z]+\/[^/]+\/[^/#]+(?:#|$)/i,
];
/** npm's short form for a repository at GitHub. */
const ownerAndRepository = /^[\w.-]+\/[\w.-]+(?:#.*)?$/;
const fileSpec =
  /^(?:file|link|portal|exec|workspace):|^(?:\.{1,2}|~)?\/|^\.{1,2}$|^[A-Za-z]:[\\/]/i;

/** Returns what a dependency specifier refers to if it is no version range: a Git repository, a URL or a folder. Undefined for a range. */
export const judgeSpec = (spec: string): UnpinnedReason | undefined => {
  if (gitSpecs.some((pattern) => pattern.test(spec))) return 'git';
  if (/^https?:/i.test(spec)) return 'url';
  if (fileSpec.test(spec)) return 'file';
  return ownerAndRepository.test(spec) ? 'git' : undefined;
};
