// Paginated search: the first page of results, and more of them on demand.

interface ResultPage<Row> {
  rows: readonly Row[];
  /** Where the next page begins; null after the last one. */
  next: string | null;
}

export class Search<Row> {
  rows = $state.raw<readonly Row[]>([]);
  next = $state<string | null>(null);
  refusal = $state<string | null>(null);
  isDone = $state(false);

  /** `fetchPage` gets the `before` of a page; empty for the first one. */
  constructor(
    private readonly fetchPage: (before: string) => Promise<ResultPage<Row>>,
    private readonly explain: (error: unknown) => string,
  ) {
    void this.#fetch('');
  }

  readonly submit = (event: SubmitEvent) => {
    event.preventDefault();
    void this.#fetch('');
  };

  readonly more = () => void this.#fetch(this.next ?? '');

  async #fetch(before: string): Promise<void> {
    this.refusal = null;
    try {
      const { rows, next } = await this.fetchPage(before);
      this.rows = before === '' ? rows : [...this.rows, ...rows];
      this.next = next;
      this.isDone = true;
    } catch (error) {
      this.refusal = this.explain(error);
    }
  }
}
