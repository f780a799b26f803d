import hostedGitInfo from 'hosted-git-info';

/** An address as the registry takes it, without user or password; undefined if it is none. */
const address = (text: string | undefined, protocols: RegExp): string | undefined => {
  if (!text || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (!protocols.test(url.protocol)) return undefined;
  url.username = '';
  url.password = '';
  return url.href === `${text}/` ? text : url.href;
};

export const homepageOf = (text: string | undefined): string | undefined =>
  address(text, /^https?:$/);

/** Also npm's short forms, such as `github:owner/name`, and `git@host:owner/name`. */
export const repositoryOf = (text: string | undefined): string | undefined => {
  const hosted = text ? hostedGitInfo.fromUrl(text.replace(/^scm:[^:]+:/, '')) : undefined;
  return (
    address(text, /^(git\+)?https?:$/) ??
    hosted?.https({ noCommittish: true, noGitPlus: true }) ??
    address(text, /^(git|git\+ssh|ssh):$/)
  );
};
