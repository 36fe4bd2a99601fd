# Reads what the bench prints, in its plain format, and the recorded counts; prints both and the change, and fails if a query
# needs over 3 % more instructions than recorded, is not recorded, or is recorded and was not run.
#   awk -f compare.awk counts.txt printed
#   awk -v record=1 -f compare.awk counts.txt printed > the new counts.txt: the comments of the old one and the new counts

FILENAME == ARGV[1] {
    if (/^#/) { if (record) print }
    else if (NF == 2) { recorded[$1] = $2; missing[$1] = 1 }
    next
}
/^counts::/ { name = $1; sub(/^counts::counts::/, "", name); sub(/_of$/, "", name); case_name = $2; sub(/:.*/, "", case_name) }
/^ *Instructions:/ {
    split($2, figures, "|")
    query = name "/" case_name
    count = figures[1] + 0
    ran++
    delete missing[query]
    if (record) { print query, count; next }
    if (!(query in recorded)) { printf "%-28s %12d  not recorded\n", query, count; failed = failed " " query; next }
    change = 100 * (count / recorded[query] - 1)
    printf "%-28s %12d  recorded %12d  %+6.2f %%\n", query, count, recorded[query], change
    if (change > 3) failed = failed " " query
}
END {
    if (!ran) { print "no counts: the bench did not run" > "/dev/stderr"; exit 1 }
    if (record) exit 0
    for (query in missing) failed = failed " " query
    if (failed != "") { print "above +3 %, or not in both lists:" failed > "/dev/stderr"; exit 1 }
}
