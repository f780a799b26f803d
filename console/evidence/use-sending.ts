import { useState } from 'preact/hooks';
import type { RequestError } from '../../shared/api/client/request-error.ts';
import { toRequestError } from '../api/use-answer.ts';

/** What is known of something that a form sends: whether it is under way, and why it was refused. */
export const useSending = () => {
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<RequestError>();
  const send = async (work: () => Promise<void>): Promise<void> => {
    setSending(true);
    setError(undefined);
    try {
      await work();
    } catch (caught) {
      setError(toRequestError(caught));
    } finally {
      setSending(false);
    }
  };
  return { isSending, error, send };
};
