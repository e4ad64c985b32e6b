# Makes the vectors that the tests of src/stats are held against: Rscript make_stats.R, in
# this folder. Base R with its recommended packages boot and survival; the versions that ran
# are in the first line of every file. A row is method,case,field,values: inputs and what R
# says of them, values parted by blanks, in 17 digits.
options(warn = -1)
library(boot)
library(survival)
set.seed(20191202)
versions <- paste0("# ", R.version.string, "; boot ", packageVersion("boot"), "; survival ",
                   packageVersion("survival"), "; by make_stats.R")
out <- NULL
begin <- function(topic) {
    out <<- file(paste0("stats_", topic, ".csv"), "w")
    writeLines(c(versions, "method,case,field,values"), out)
}
end <- function() close(out)
put <- function(method, case, ...) {
    fields <- list(...)
    for (name in names(fields))
        writeLines(paste(method, case, name,
                         paste(sprintf("%.17g", as.numeric(fields[[name]])), collapse = " "),
                         sep = ","), out)
}

# Columns of numbers of many kinds.
columns <- list(
    small = c(3.1, 4.1, 5.9, 2.6, 5.3),
    even = c(8, 1, 7, 2, 6, 3),
    tied = c(1, 2, 2, 3, 3, 3, 4, 4, 4, 4),
    normal30 = rnorm(30, 10, 3),
    skewed80 = rlnorm(80, 4, 1.5),
    shifted = 1e9 + rnorm(40),
    tiny = rnorm(12) * 1e-150,
    huge = rnorm(12) * 1e150,
    counts60 = rpois(60, 3))

begin("describe")
for (name in names(columns)) {
    x <- columns[[name]]
    s <- 2^floor(log2(max(abs(x)))) # keeps R's squares inside the range of doubles
    put("describe", name, x = x, sum = sum(x), mean = mean(x), sd = sd(x / s) * s,
        min = min(x), q1 = quantile(x, .25), median = median(x), q3 = quantile(x, .75),
        max = max(x), p10 = quantile(x, .1), p99 = quantile(x, .99), ranks = rank(x))
}
end()

begin("distribution")
for (z in c(-8, -3, -1, 0, 0.5, 1.959964, 4, 10, 30))
    put("normal_upper", paste("z", z), x = z, want = pnorm(z, lower = FALSE))
for (p in c(1e-300, 1e-10, .001, .025, .5, .6, .975, 1 - 1e-10))
    put("normal_quantile", paste("share", p), x = p, want = qnorm(p))
for (df in c(1, 2.5, 4, 30, 1000, 1e6)) for (t in c(0, .1, 1, 2.5, 10, 40))
    put("t_two_sided", paste("df", df, "t", t), x = t, df = df,
        want = 2 * pt(t, df, lower = FALSE))
for (df in c(1, 2.5, 4, 30, 1000, 1e6)) for (p in c(.001, .025, .4, .6, .95, .975, .9995))
    put("t_quantile", paste("df", df, "share", p), x = p, df = df, want = qt(p, df))
for (df in c(.7, 1, 2, 5, 30, 400)) for (x in c(1e-8, .1, 1, 3.84, 20, 78.153, 400, 1300, 2000))
    put("chi_square_upper", paste("df", df, "x", x), x = x, df = df,
        want = pchisq(x, df, lower = FALSE))
for (df in c(1, 4)) for (ncp in c(0, 1, 10, 200)) for (x in c(.5, 4, 30, 220))
    put("noncentral_lower", paste("df", df, "ncp", ncp, "x", x), x = x, df = df, ncp = ncp,
        want = pchisq(x, df, ncp))
end()

begin("interval")
for (xn in list(c(0, 5), c(5, 5), c(1, 10), c(3, 7), c(2137, 3023), c(42449, 67655), c(1, 1e6)))
    for (level in c(.9, .95, .99)) {
        x <- xn[1]; n <- xn[2]
        w <- prop.test(x, n, conf.level = level, correct = FALSE)$conf.int
        put("wilson", paste(x, "of", n, level), x = x, n = n, level = level, low = w[1],
            high = w[2])
    }
end()

samples <- list(
    small = list(c(3.1, 4.1, 5.9, 2.6, 5.3), c(9.7, 3.2, 3.8, 4.6)),
    islam = list(c(43, 27, 20, 30, 24), c(49, 20, 26, 18, 23)),
    unequal = list(rnorm(25, 10, 1), rnorm(8, 12, 6)),
    skewed = list(rlnorm(60, 4, 1.5), rlnorm(45, 4.6, 1.5)),
    tied = list(c(1, 2, 2, 3, 3, 3, 4), c(2, 3, 3, 4, 4, 5, 5, 5, 6)),
    shifted = list(1e9 + rnorm(30), 1e9 + .5 + rnorm(30)),
    huge = list(rnorm(9) * 1e150, rnorm(9, 1) * 1e150),
    same = list(c(1, 2, 3, 4), c(1, 2, 3, 4)),
    apart = list(c(1, 2, 3, 4, 5), c(6, 7, 8, 9)),
    few = list(1.5, c(.5, 2.5)),
    large = list(rnorm(49), rnorm(49, .2)),
    larger = list(rnorm(50), rnorm(70, .5)))
begin("ttest")
for (name in names(samples)) for (level in c(.95, .99)) {
    x <- samples[[name]][[1]]; y <- samples[[name]][[2]]
    scale <- if (name == "huge") 1e150 else 1
    report <- function(method, test) put(method, paste(name, level), x = x, y = y,
        level = level, t = test$statistic, df = test$parameter, p = test$p.value,
        low = test$conf.int[1] * scale, high = test$conf.int[2] * scale)
    report("student", t.test(x / scale, y / scale, var.equal = TRUE, conf.level = level))
    if (length(x) > 1 && length(y) > 1)
        report("welch", t.test(x / scale, y / scale, conf.level = level))
    if (length(x) == length(y) && name != "same")
        report("paired", t.test(x / scale, y / scale, paired = TRUE, conf.level = level))
}
end()

begin("contingency")
tables <- list(
    tea = matrix(c(3, 1, 1, 3), 2), chen = matrix(c(2137, 886, 42449, 25206), 2, byrow = TRUE),
    skewed = matrix(c(10, 2, 3, 15), 2), extreme = matrix(c(20, 0, 0, 20), 2),
    zero = matrix(c(0, 5, 7, 3), 2), even = matrix(c(5, 5, 5, 5), 2),
    job = matrix(c(1, 2, 1, 0, 3, 3, 6, 1, 10, 10, 14, 9, 6, 7, 12, 11), 4),
    three = matrix(c(4, 0, 3, 2, 6, 1), 3), wide = matrix(c(3, 0, 2, 5, 1, 1, 0, 4, 4, 2), 2))
for (name in names(tables)) {
    m <- tables[[name]]
    plain <- chisq.test(m, correct = FALSE)
    yates <- chisq.test(m, correct = TRUE)
    put("table", name, rows = nrow(m), columns = ncol(m), cells = t(m),
        chi = plain$statistic, df = plain$parameter, p = plain$p.value,
        yates_chi = yates$statistic, yates_p = yates$p.value, expected = min(plain$expected),
        fisher = fisher.test(m, workspace = 2e7)$p.value)
}
for (s in list(c(2137, 3023, 42449, 67655), c(3, 10, 9, 11), c(5, 10, 5, 10), c(0, 5, 3, 7),
               c(1, 9, 0, 11))) for (yates in c(TRUE, FALSE)) {
    test <- prop.test(s[c(1, 3)], s[c(2, 4)], correct = yates)
    put("two_shares", paste(s[1], "of", s[2], "v", s[3], "of", s[4], if (yates) "Yates"),
        x = s[c(1, 3)], n = s[c(2, 4)], yates = yates, chi = test$statistic,
        p = test$p.value, low = test$conf.int[1], high = test$conf.int[2])
}
end()

begin("ranktest")
for (name in names(samples)) {
    x <- samples[[name]][[1]]; y <- samples[[name]][[2]]
    tied <- any(duplicated(c(x, y)))
    test <- wilcox.test(x, y)
    put("mann_whitney", name, x = x, y = y, statistic = test$statistic, p = test$p.value,
        exact = !tied && length(x) < 50 && length(y) < 50)
    if (length(x) == length(y) && name != "same") {
        d <- x - y
        test <- wilcox.test(x, y, paired = TRUE)
        put("signed", name, x = x, y = y, statistic = test$statistic, p = test$p.value,
            exact = all(d != 0) && !any(duplicated(abs(d))) && length(d) < 50)
    }
}
before <- c(125, 115, 130, 140, 140, 115, 140, 125, 140, 135)
after <- c(110, 122, 125, 120, 140, 124, 123, 137, 135, 145)
test <- wilcox.test(before, after, paired = TRUE)
put("signed", "zeros and ties", x = before, y = after, statistic = test$statistic,
    p = test$p.value, exact = FALSE)
x <- rnorm(60); y <- x + rnorm(60, .3)
test <- wilcox.test(x, y, paired = TRUE)
put("signed", "sixty pairs", x = x, y = y, statistic = test$statistic, p = test$p.value,
    exact = FALSE)
groups <- list(
    three = list(c(2.9, 3.0, 2.5, 2.6, 3.2), c(3.8, 2.7, 4.0, 2.4), c(2.8, 3.4, 3.7, 2.2, 2.0)),
    tied = list(c(1, 2, 2, 3), c(2, 3, 3, 4, 4), c(4, 4, 5, 1), c(3, 3)),
    two = list(rnorm(20), rnorm(30, 1)))
for (name in names(groups)) {
    g <- groups[[name]]
    test <- kruskal.test(g)
    all <- unlist(g); r <- rank(all); n <- length(all)
    of <- rep(seq_along(g), lengths(g))
    ties <- sum(table(all)^3 - table(all))
    z <- c(); for (i in seq_along(g)) for (j in seq_along(g)) if (i < j)
        z <- c(z, (mean(r[of == i]) - mean(r[of == j])) /
            sqrt((n * (n + 1) / 12 - ties / (12 * (n - 1))) * (1 / length(g[[i]]) + 1 / length(g[[j]]))))
    put("kruskal", name, sizes = lengths(g), x = all, statistic = test$statistic,
        df = test$parameter, p = test$p.value, dunn_z = z, dunn_p = 2 * pnorm(-abs(z)))
}
blocks <- list(
    rounding = matrix(c(5.40, 5.50, 5.55, 5.85, 5.70, 5.75, 5.20, 5.60, 5.50, 5.55, 5.50, 5.40,
        5.90, 5.85, 5.70, 5.45, 5.55, 5.60, 5.40, 5.40, 5.35, 5.45, 5.50, 5.35), ncol = 3, byrow = TRUE),
    random = matrix(rnorm(40), ncol = 4))
for (name in names(blocks)) {
    test <- friedman.test(blocks[[name]])
    put("friedman", name, treatments = ncol(blocks[[name]]), x = t(blocks[[name]]),
        statistic = test$statistic, df = test$parameter, p = test$p.value)
}
end()

begin("correlation")
pairs <- list(
    six = list(c(1, 2, 3, 4, 5, 6), c(2, 1, 4, 3, 7, 5)),
    nine = list(rnorm(9), rnorm(9)),
    ten = list(1:10 + 0, c(2, 1, 3, 5, 4, 7, 6, 10, 9, 8)),
    falling = list(1:12 + 0, c(12, 11, 9, 10, 8, 7, 5, 6, 4, 3, 1, 2)),
    tied = list(c(1, 2, 2, 3, 3, 3, 4, 5), c(2, 2, 3, 3, 5, 4, 4, 9)),
    views = list(x <- rlnorm(200, 6, 1.5), x * rlnorm(200, -5, .7)),
    fortynine = list(x <- rnorm(49), x + rnorm(49, 0, 2)),
    counts = list(rpois(120, 4), rpois(120, 3)),
    huge = list(rnorm(20) * 1e150, rnorm(20) * 1e-150),
    shifted = list(1e8 + (x <- rnorm(30)), x + rnorm(30)))
for (name in names(pairs)) {
    x <- pairs[[name]][[1]]; y <- pairs[[name]][[2]]
    tied <- any(duplicated(x)) || any(duplicated(y)); n <- length(x)
    s <- if (name == "huge") 1e150 else 1
    test <- cor.test(x / s, y * s)
    put("pearson", name, x = x, y = y, r = test$estimate, statistic = test$statistic,
        p = test$p.value, low = test$conf.int[1], high = test$conf.int[2])
    test <- cor.test(x, y, method = "spearman")
    r <- test$estimate; half <- qnorm(.975) * sqrt((1 + r^2 / 2) / (n - 3))
    put("spearman", name, x = x, y = y, r = r, statistic = test$statistic,
        p = test$p.value, exact = !tied, low = tanh(atanh(r) - half), high = tanh(atanh(r) + half))
    test <- cor.test(x, y, method = "kendall")
    r <- test$estimate; half <- qnorm(.975) * sqrt(.437 / (n - 4))
    put("kendall", name, x = x, y = y, r = r, statistic = test$statistic, p = test$p.value,
        exact = !tied && n < 50, low = tanh(atanh(r) - half), high = tanh(atanh(r) + half))
}
end()

begin("trend")
series <- list(rising = c(1, 3, 2, 5, 4, 6, 9, 7), tied = c(5, 5, 4, 4, 3, 3, 3, 2, 1, 1),
               flat = rnorm(25), ragged = cumsum(rnorm(15)))
for (name in names(series)) {
    y <- series[[name]]; n <- length(y)
    t <- if (name == "ragged") sort(runif(n, 2008, 2025)) else 2000 + seq_along(y)
    grid <- which(upper.tri(diag(n)), arr.ind = TRUE)
    slopes <- sort((y[grid[, 2]] - y[grid[, 1]]) / (t[grid[, 2]] - t[grid[, 1]]))
    score <- sum(sign(y[grid[, 2]] - y[grid[, 1]])); ties <- table(y)
    variance <- (n * (n - 1) * (2 * n + 5) - sum(ties * (ties - 1) * (2 * ties + 5))) / 18
    z <- (score - sign(score)) / sqrt(variance); width <- qnorm(.975) * sqrt(variance)
    put("trend", name, t = t, y = y, score = score, variance = variance, z = z,
        p = 2 * pnorm(-abs(z)), tau = cor(t, y, method = "kendall"), slope = median(slopes),
        low = slopes[round((length(slopes) - width) / 2)],
        high = slopes[round((length(slopes) + width) / 2 + 1)])
}
end()

begin("adjust")
families <- list(five = c(.01, .02, .03, .04, .05), ties = c(.04, .001, .04, .5, .9, .001),
                 islam = c(.3901, .2873, .3442, .0109, .8535, .7839, .504, .717, .7812, .5418, .0003),
                 undefined = c(.01, NA, .2, .03), one = .03, tiny = 10^-(1:40))
for (name in names(families)) {
    p <- families[[name]]
    put("adjust", name, p = p, bonferroni = p.adjust(p, "bonferroni"), holm = p.adjust(p, "holm"),
        bh = p.adjust(p, "BH"))
}
end()

begin("bootstrap")
for (name in c("mean", "median", "ratio")) for (level in c(.9, .95)) {
    x <- rlnorm(30, 1, 1)
    statistic <- list(mean = mean, median = median, ratio = function(v) sd(v) / mean(v))[[name]]
    b <- boot(x, function(d, i) statistic(d[i]), R = 399)
    without <- sapply(seq_along(x), function(i) statistic(x[-i]))
    ci <- boot.ci(b, conf = level, type = "bca", L = (length(x) - 1) * (mean(without) - without))
    put("bca", paste(name, level), level = level, estimate = b$t0, resampled = b$t,
        without = without, low = ci$bca[4], high = ci$bca[5])
}
end()

begin("survival")
cases <- list(
    aml = list(aml$time, aml$status, as.integer(aml$x)),
    leukaemia = list(c(6, 6, 6, 6, 7, 9, 10, 10, 11, 13, 16, 17, 19, 20, 22, 23, 25, 32, 32, 34, 35,
        1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12, 12, 15, 17, 22, 23),
        c(1, 1, 1, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, rep(1, 21)), rep(1:2, each = 21)),
    veteran = list(veteran$time, veteran$status, as.integer(veteran$celltype)),
    half = list(c(1, 2, 3, 4), c(1, 1, 1, 1), c(1, 2, 1, 2)),
    waiting = list(round(rexp(80, .01), 1), rbinom(80, 1, .4), rep(1:4, 20)))
for (name in names(cases)) {
    time <- cases[[name]][[1]]; event <- cases[[name]][[2]]; of <- cases[[name]][[3]]
    f <- survfit(Surv(time, event) ~ 1); m <- summary(f)$table
    put("curve", name, time = time, event = event, of = of, at = f$time, risk = f$n.risk,
        events = f$n.event, censored = f$n.censor, left = f$surv, error = f$std.err * f$surv,
        low = f$lower, high = f$upper, median = m["median"], median_low = m["0.95LCL"],
        median_high = m["0.95UCL"])
    d <- survdiff(Surv(time, event) ~ of)
    put("logrank", name, time = time, event = event, of = of, chi = d$chisq,
        df = length(d$n) - 1, p = pchisq(d$chisq, length(d$n) - 1, lower = FALSE),
        observed = d$obs, expected = d$exp)
}
end()

begin("effect")
for (name in names(samples)) {
    x <- samples[[name]][[1]]; y <- samples[[name]][[2]]; m <- length(x); n <- length(y)
    if (m < 2 || n < 2) next
    z <- qnorm(.975)
    dominance <- sign(outer(x, y, "-")); d <- mean(dominance)
    s2 <- (n^2 * sum((rowMeans(dominance) - d)^2) + m^2 * sum((colMeans(dominance) - d)^2) -
           sum((dominance - d)^2)) / (m * n * (m - 1) * (n - 1))
    s2 <- max(s2, (1 - d^2) / (m * n - 1))
    if (abs(d) == 1) {
        e <- (min(m, n) - z^2) / (min(m, n) + z^2); ci <- if (d > 0) c(e, 1) else c(-1, -e)
    } else ci <- (d - d^3 + c(-1, 1) * z * sqrt(s2) * sqrt((1 - d^2)^2 + z^2 * s2)) / (1 - d^2 + z^2 * s2)
    put("cliff", name, x = x, y = y, estimate = d, low = ci[1], high = ci[2])
    s <- if (name == "huge") 1e150 else 1
    pooled <- sqrt(((m - 1) * var(x / s) + (n - 1) * var(y / s)) / (m + n - 2))
    d <- (mean(x / s) - mean(y / s)) / pooled; df <- m + n - 2
    error <- function(d) z * sqrt(1 / m + 1 / n + d^2 / (2 * (m + n)))
    g <- d * exp(lgamma(df / 2) - lgamma((df - 1) / 2)) / sqrt(df / 2)
    put("hedges", name, x = x, y = y, estimate = g, low = g - error(g), high = g + error(g))
    if (m == n && name != "same" && name != "huge") {
        g <- mean(x - y) / sd(x - y) * exp(lgamma((n - 1) / 2) - lgamma((n - 2) / 2)) / sqrt((n - 1) / 2)
        half <- z * sqrt(1 / n + g^2 / (2 * n))
        put("pairs", name, x = x, y = y, estimate = g, low = g - half, high = g + half)
    }
    if (m == n && name != "same") {
        r <- rank(abs(x - y)[x != y]); rb <- sum(r * sign((x - y)[x != y])) / sum(r)
        k <- length(r); half <- z * sqrt((4 * k + 2) / (3 * k * (k + 1)))
        if (abs(rb) < 1)
            put("biserial", name, x = x, y = y, estimate = rb, low = tanh(atanh(rb) - half),
                high = tanh(atanh(rb) + half))
    }
}
noncentral <- function(x, df, p) if (pchisq(x, df) <= p) 0 else
    uniroot(function(l) pchisq(x, df, l) - p, c(0, 10 * x + 50), tol = 1e-12)$root
for (row in list(c(3.1, 2, 18), c(40, 3, 60), c(.02, 2, 30), c(16.9, 1, 20))) {
    x <- row[1]; df <- row[2]; n <- row[3]
    for (kind in c("epsilon", "concordance")) {
        most <- if (kind == "epsilon") n - 1 else n * df
        e <- min(1, x / most)
        put(kind, paste(row, collapse = " "), chi = x, df = df, n = n, estimate = e,
            low = min(1, noncentral(x, df, .975) / most),
            high = min(1, (noncentral(x, df, .025) + df) / most))
    }
}
for (name in names(tables)) {
    m <- tables[[name]]; n <- sum(m); chi <- chisq.test(m, correct = FALSE)$statistic
    df <- (nrow(m) - 1) * (ncol(m) - 1); k <- min(dim(m)) - 1
    find <- function(p) if (pchisq(chi, df) <= p) 0 else
        uniroot(function(l) pchisq(chi, df, l) - p, c(0, 10 * chi + 100), tol = 1e-12)$root
    bound <- function(l) if (l > 0) min(1, sqrt((l + df) / (n * k))) else 0
    v <- sqrt(chi / (n * k))
    put("cramer", name, rows = nrow(m), columns = ncol(m), cells = t(m), estimate = v,
        low = min(v, bound(find(.975))), high = max(v, bound(find(.025))))
    if (all(dim(m) == 2)) {
        a <- if (any(m == 0)) m + .5 else m
        odds <- a[1, 1] * a[2, 2] / (a[1, 2] * a[2, 1]); e <- qnorm(.975) * sqrt(sum(1 / a))
        put("odds_ratio", name, cells = t(m), estimate = odds, low = odds * exp(-e),
            high = odds * exp(e))
    }
}
end()
