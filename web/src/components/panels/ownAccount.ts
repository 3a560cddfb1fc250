// What the panels about a player's own account need of a page's session: money, limits and the reality check.
import type { Me, Responsible } from '../../lib/api';
import type { RealityCheck } from '../../lib/protocol';

export interface AccountSession {
  readonly me: Me | null;
  readonly currency: string | null;
  readonly reality: RealityCheck | null;
  balance: number;
  available: number;
  /** Takes over what the player's own limits leave. */
  heed(own: Responsible): void;
  seenReality(): Promise<void>;
}

export interface AccountPanelProps {
  session: AccountSession;
}
