// A table as data for Markdown and HTML.

export interface Table {
  readonly heading: readonly { readonly title: string; readonly isNumber: boolean }[];
  readonly rows: readonly (readonly string[])[];
}
