// State of the open back office: the user, the address and the period.
import { api, ApiError, type Me } from '../../lib/api';
import { ServerClock } from '../../lib/clock';
import { financeApi } from './api';
import { isDay, periodOf, today, type Period } from './periods';
import { linkTo, readPlace, type Asked, type Place } from './route';
import { w } from './texts';

/** stranger: a user of another role; enrolling: a second factor has to be set up first. */
export type Presence = 'asking' | 'lost' | 'nobody' | 'enrolling' | 'finance' | 'stranger';

class BackOffice {
  presence = $state<Presence>('asking');
  me = $state.raw<Me | null>(null);
  place = $state.raw<Place>(readPlace(location.hash));
  /** The clock of the workstation may be wrong. */
  readonly clock = new ServerClock();
  /** As it was last chosen: looking at the rows of one day does not change it. */
  period = $state.raw<Period>(periodOf('month', today(this.clock.now())));
  #isPeriodChosen = false;
  table = $state('');
  tables = $state.raw<readonly string[]>([]);
  /** The currency of guests' play money. */
  playCurrency = $state('');
  /** The currency of registered players. */
  currency = $state('EUR');

  constructor() {
    this.#arrive();
    window.addEventListener('hashchange', () => this.#arrive());
  }

  #arrive(): void {
    this.place = readPlace(location.hash);
    const { from = '', to = '', table = '' } = this.place.asked;
    if (this.isDetail || !isDay(from) || !isDay(to)) return;
    this.period = { from, to };
    this.#isPeriodChosen = true;
    this.table = table;
  }

  /** Rows behind a number bring their own days along. */
  get isDetail(): boolean {
    return ['rows', 'postings', 'accounts', 'round'].includes(this.place.view);
  }

  /** What is asked of every route that is asked for a period. */
  get asked(): Asked {
    return { from: this.period.from, to: this.period.to, ...(this.table === '' ? {} : { table: this.table }) };
  }

  choose(period: Period, table = this.table): void {
    const { by } = this.place.asked;
    this.#isPeriodChosen = true;
    [this.period, this.table] = [period, table]; // at once: the event of the address comes later
    const view = this.isDetail ? 'overview' : this.place.view;
    location.hash = linkTo(view, { ...period, table: table || null, by: view === 'overview' ? by : null });
  }

  async start(): Promise<void> {
    try {
      await this.#welcome(await api.me());
    } catch (error) {
      this.presence = error instanceof ApiError && error.status === 401 ? 'nobody' : 'lost';
    }
  }

  async signIn(name: string, password: string, code = ''): Promise<void> {
    await api.signIn(name, password, code);
    await this.#welcome(await api.me());
  }

  async signOut(): Promise<void> {
    await api.signOut().catch(() => null);
    this.me = null;
    this.presence = 'nobody';
  }

  async #welcome(me: Me): Promise<void> {
    this.me = me;
    if (me.must_enrol) {
      this.presence = 'enrolling';
      return;
    }
    if (me.role === 'finance') {
      const house = await financeApi.house();
      ({ tables: this.tables, play_currency: this.playCurrency, currency: this.currency } = house);
      this.clock.sync(house.server_time);
      if (!this.#isPeriodChosen) this.period = periodOf('month', today(this.clock.now()));
    }
    this.presence = me.role === 'finance' ? 'finance' : 'stranger';
  }

  /** What went wrong, as a sentence. A session that has ended leads back to the sign-in form. */
  explain(error: unknown): string {
    if (!(error instanceof ApiError)) return String(error);
    if (error.status === 401) this.presence = 'nobody';
    return error.code === 'unreachable' ? w.unreachable : error.message;
  }
}

export const backOffice = new BackOffice();
