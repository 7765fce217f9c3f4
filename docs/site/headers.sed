# What Doxygen is shown of a header (FILTER_PATTERNS): internal headers speak in plain comments, which become its own.
# The first line that says what the file is for: its name becomes @file, the rest its brief.
1s:^/\*$:/**:
1s:^/\* \([a-z0-9_]*\.h\)\: :/** @file \1\n@brief :
2s:^ \* \([a-z0-9_]*\.h\)\: : * @file \1\n * @brief :
# A comment that begins a line and is no ruler.
2,$s:^/\*\( [^-]\|$\):/**\1:
# A group's opening brace would become a part of its title.
s:\(@name .*\) @{ *\*/:\1\n@{ */:
