// A table as data: Markdown and HTML print it.

export interface Table {
  readonly heading: readonly { readonly title: string; readonly isNumber: boolean }[];
  readonly rows: readonly (readonly string[])[];
}
