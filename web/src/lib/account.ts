// HTTP client of a person's own account: password, sessions, second factor. Loaded with the panel that shows it.
import { ask } from './api';

export interface OwnSession {
  id: string;
  device: string;
  created_at: number;
  expires_at: number;
  current: boolean;
}

export interface SecondFactorState {
  enrolled: boolean;
  required: boolean;
  recovery_codes_left: number;
}

export const account = {
  changePassword: (current: string, next: string) => ask<unknown>('POST', '/api/password', { current, new: next }),
  sessions: async () => (await ask<{ sessions: OwnSession[] }>('GET', '/api/sessions')).sessions,
  endSession: (id: string) => ask<unknown>('DELETE', `/api/sessions/${encodeURIComponent(id)}`),
  endOthers: () => ask<{ ended: number }>('DELETE', '/api/sessions'),
  secondFactor: () => ask<SecondFactorState>('GET', '/api/second-factor'),
  beginSecondFactor: (password: string, code: string) =>
    ask<{ secret: string; uri: string }>('POST', '/api/second-factor/begin', { password, code }),
  confirmSecondFactor: async (code: string) =>
    (await ask<{ recovery_codes: string[] }>('POST', '/api/second-factor/confirm', { code })).recovery_codes,
  removeSecondFactor: (password: string, code: string) =>
    ask<unknown>('POST', '/api/second-factor/remove', { password, code }),
};

/** As people read it out: groups of four. */
export const inGroups = (secret: string): string => secret.match(/.{1,4}/g)?.join(' ') ?? '';
