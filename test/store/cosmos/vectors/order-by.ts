// Texts in the order in which the SDKs merge them: by UTF-16 unit. Facts of azure-sdk-for-rust (its scenarios of a streaming ORDER BY) and of the
// ordinal comparers of azure-cosmos-dotnet-v3 and azure-sdk-for-java; the choice of texts is ours.

export const textsInOrder: readonly string[] = [
  '', '!', '0', '00', '9', 'A', 'Z', 'a', 'aA', 'aa', 'z', 'é', '\ud7ff',
  // Characters above U+FFFF, which begin with a surrogate (U+D800 to U+DBFF) …
  '\u{10000}', '\u{10000}a', '😀', '😀a', '\u{10ffff}',
  // … come before those from U+E000 to U+FFFF.
  '\ue000', '\ue000\u{10000}', '\ufffd', '\uffff',
]
