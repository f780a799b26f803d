import type { ComponentChildren } from 'preact';
import type { RequestError } from '../../shared/api/client/request-error.ts';

/** The content of an empty list: what the list would show, and how to fill it. */
export const EmptyState = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    <p>{children}</p>
  </div>
);

/** Returns true if the same request may succeed later. */
const isRetryable = ({ status }: RequestError): boolean =>
  status === null || status === 429 || status >= 500;

/** An error message of the registry, with a button to try again if that can help. */
export const ErrorMessage = ({
  error,
  retry,
}: {
  readonly error: RequestError;
  readonly retry?: (() => void) | undefined;
}) => (
  <div class="error-message" role="alert">
    <p>{error.detail}</p>
    {isRetryable(error) && error.requestId && <p class="muted">Request {error.requestId}</p>}
    {retry && isRetryable(error) && (
      <button type="button" onClick={retry}>
        Try again
      </button>
    )}
  </div>
);

/** Grey bars in place of lines that are loading. They have the height of lines, so that nothing moves. */
export const Skeleton = ({ lines, label }: { readonly lines: number; readonly label: string }) => (
  <div class="skeleton" role="status">
    <span class="visually-hidden">{label}</span>
    {Array.from({ length: lines }, (_, at) => (
      <span class="bar" key={at} aria-hidden="true" />
    ))}
  </div>
);
